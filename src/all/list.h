/* list.h: what there is, a line each; the order in which it is listed. */
GENERATOR(regions)
GENERATOR(areas)
GENERATOR(islands)
GENERATOR(starlanes)
GENERATOR(puzzle_solve)
GENERATOR(puzzle_generate)
#ifdef MW_FAULTY /* for tests of what a crash costs: tests/box */
GENERATOR(faulty)
#endif

/* The WebAssembly module has few formats: MW_FEW_FORMATS; one that draws has svg as well:
   MW_WITH_SVG. */
#ifdef MW_FEW_FORMATS
#define MORE(name)
#else
#define MORE(name) ENCODER(name)
#endif
#if !defined MW_FEW_FORMATS || defined MW_WITH_SVG
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
