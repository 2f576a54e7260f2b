/* list.h: what there is, a line each; the order in which it is listed. */
GENERATOR(regions)
GENERATOR(areas)
GENERATOR(islands)
GENERATOR(starlanes)
GENERATOR(puzzle_solve)
GENERATOR(puzzle_generate)

ENCODER(json)
ENCODER(text)
ENCODER(svg)
#ifndef MW_WITHOUT_PNG
ENCODER(png)
#endif
ENCODER(tmj)
ENCODER(vox)
ENCODER(dot)
ENCODER(graphml)
