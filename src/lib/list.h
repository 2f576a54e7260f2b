/* list.h: what there is, a line each; the order in which it is listed. */
GENERATOR(regions)

ENCODER(json)
ENCODER(text)
ENCODER(svg)
ENCODER(dot)
ENCODER(graphml)
