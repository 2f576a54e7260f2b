/* list.h: what there is, a line each; the order in which it is listed. */
GENERATOR(regions)
GENERATOR(areas)
GENERATOR(islands)

ENCODER(json)
ENCODER(text)
ENCODER(svg)
ENCODER(dot)
ENCODER(graphml)
