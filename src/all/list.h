/* list.h: what there is, a line each; the order in which it is listed. */
GENERATOR(regions)
GENERATOR(areas)
GENERATOR(islands)
GENERATOR(starlanes)
GENERATOR(puzzle_solve)
GENERATOR(puzzle_generate)

/* What a small library does without. */
#ifdef MW_SMALL
#define MORE(name)
#else
#define MORE(name) ENCODER(name)
#endif
ENCODER(json)
ENCODER(cbor)
MORE(text)
ENCODER(svg)
MORE(png)
MORE(pdf)
MORE(geojson)
MORE(tmj)
MORE(vox)
MORE(glb)
MORE(dot)
MORE(graphml)
#undef MORE
