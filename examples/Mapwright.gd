# Mapwright.gd: a map from Mapwright on a TileMapLayer, for Godot 4.3 or later: cells as tiles, the rest drawn.
#
# Put it on a TileMapLayer in an empty scene, start the service, press play.
extends TileMapLayer

signal failed(text: String)

const COLOURS: Array[String] = ["e8eef2", "77aadd", "ee8866", "eedd88", "ffaabb", "99ddff", "44bb99", "bbcc33", "aaaa00"]
const SIDE := 16
const BUSY: Array[int] = [429, 502, 503, 504] # pass: from the service, or from a proxy before it

@export var base := "http://localhost:8080"
@export var generator := "regions"
@export var parameters := {"width": 40, "height": 30, "count": 8, "seed": 7}
@export var tries := 5

var drawn := {}


func _ready() -> void:
	failed.connect(func(text: String) -> void: push_error(text))
	tile_set = make_tiles()
	var answer: Dictionary = await get_map()
	drawn = answer.get("result", {})
	queue_redraw()
	# Hexagons as a tile set has them by default: odd rows are shoved to the right.
	if drawn.get("grid") is String and drawn["grid"] == "hex":
		tile_set.tile_shape = TileSet.TILE_SHAPE_HEXAGON
	show_cells(drawn.get("cells", []))


# A label is a tile: 0 is water, -1 a bridge, which looks like the last colour.
func show_cells(cells: Array) -> void:
	clear()
	for y in cells.size():
		for x in cells[y].size():
			var label := int(cells[y][x])
			var tile := 0 if label == 0 else 1 + posmod(label - 1, COLOURS.size() - 1)
			set_cell(Vector2i(x, y), 0, Vector2i(tile, 0))


# What has no cells: stars on their lanes, homeworlds larger; or a solved puzzle, each path in its colour.
func _draw() -> void:
	var stars: Array = drawn.get("stars", [])
	for lane: Array in drawn.get("lanes", []):
		draw_line(place(stars[int(lane[0])]), place(stars[int(lane[1])]), Color(COLOURS[1]), 1.5)
	for star: Dictionary in stars:
		draw_circle(place(star), 7.0 if star["homeworld"] else 3.0, Color(COLOURS[2 if star["homeworld"] else 3]))
	var paths: Array = drawn.get("paths", [])
	for i in paths.size():
		var colour := Color(COLOURS[1 + i % (COLOURS.size() - 1)])
		var points := PackedVector2Array()
		for cell: Array in paths[i]["cells"]:
			points.append(SIDE * Vector2(cell[0] + 0.5, cell[1] + 0.5))
		draw_polyline(points, colour, SIDE * 0.4)
		draw_circle(points[0], SIDE * 0.4, colour)
		draw_circle(points[points.size() - 1], SIDE * 0.4, colour)


# The longer side of a map of stars is that of 40 tiles.
func place(star: Dictionary) -> Vector2:
	return Vector2(star["x"], star["y"]) * (40 * SIDE / maxf(drawn["width"], drawn["height"]))


# A row of coloured squares, so that there is something to see without a picture.
func make_tiles() -> TileSet:
	var picture := Image.create(SIDE * COLOURS.size(), SIDE, false, Image.FORMAT_RGB8)
	var atlas := TileSetAtlasSource.new()
	var tiles := TileSet.new()
	for i in COLOURS.size():
		picture.fill_rect(Rect2i(i * SIDE, 0, SIDE, SIDE), Color(COLOURS[i]))
	atlas.texture = ImageTexture.create_from_image(picture)
	atlas.texture_region_size = Vector2i(SIDE, SIDE)
	for i in COLOURS.size():
		atlas.create_tile(Vector2i(i, 0))
	tiles.tile_size = Vector2i(SIDE, SIDE)
	tiles.add_source(atlas, 0)
	return tiles


# The answer, or {} after `failed`. One with a seed is the same for ever: kept, and asked for once.
func get_map() -> Dictionary:
	var asked := JSON.stringify(parameters)
	var file_name := "user://%s.json" % (base + generator + asked).sha256_text()
	if parameters.has("seed") and FileAccess.file_exists(file_name):
		return JSON.parse_string(FileAccess.get_file_as_string(file_name))
	var text := await ask(asked)
	if text and parameters.has("seed"):
		FileAccess.open(file_name, FileAccess.WRITE).store_string(text)
	return JSON.parse_string(text) if text else {}


# A busy service says 503 and when to try again.
func ask(asked: String) -> String:
	var http := HTTPRequest.new()
	add_child(http)
	var said := "no answer"
	for attempt in tries:
		var header := PackedStringArray(["Content-Type: application/json"])
		if http.request(base + "/" + generator, header, HTTPClient.METHOD_POST, asked) != OK:
			break
		var done: Array = await http.request_completed # result, status, headers, body
		var body: String = done[3].get_string_from_utf8()
		if done[0] == HTTPRequest.RESULT_SUCCESS and done[1] == 200 and JSON.parse_string(body) is Dictionary:
			http.queue_free()
			return body
		said = problem_text(done[1], body)
		if not done[1] in BUSY:
			break
		await get_tree().create_timer(retry_after(done[2])).timeout
	http.queue_free()
	failed.emit(said)
	return ""


func retry_after(headers: PackedStringArray) -> float:
	for header in headers:
		if header.to_lower().begins_with("retry-after:"):
			return maxf(1.0, header.get_slice(":", 1).strip_edges().to_float())
	return 1.0


# "A parameter is wrong", then "width: must be an integer from 1 to 4096", a line each.
func problem_text(status: int, body: String) -> String:
	var problem: Variant = JSON.parse_string(body)
	if not problem is Dictionary:
		return "%d says something that is not JSON: is that Mapwright?" % status if status else "no answer"
	var lines := [str(problem["title"])]
	for error in problem.get("errors", []):
		lines.append("%s: %s" % [error["pointer"].trim_prefix("/"), error["detail"]])
	if lines.size() == 1:
		lines.append(problem["detail"])
	return "\n".join(lines)
