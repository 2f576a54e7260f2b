/* list.h: what there is, a line each; the order in which it is listed. */
GENERATOR(regions)
GENERATOR(areas)
GENERATOR(islands)
GENERATOR(starlanes)
GENERATOR(puzzle_solve)
GENERATOR(puzzle_generate)

/* What a small library does without, and what it may have all the same. */
#ifdef MW_SMALL
#define MORE(name)
#else
#define MORE(name) ENCODER(name)
#endif
#if !defined MW_SMALL || defined MW_DRAWS
#define DRAWN(name) ENCODER(name)
#else
#define DRAWN(name)
#endif
ENCODER(json)
ENCODER(cbor)
MORE(text)
DRAWN(svg)
MORE(png)
MORE(pdf)
MORE(geojson)
MORE(tmj)
MORE(vox)
MORE(glb)
MORE(dot)
MORE(graphml)
#undef MORE
#undef DRAWN
