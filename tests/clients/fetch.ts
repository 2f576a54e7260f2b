// By openapi-typescript and openapi-fetch.
import createClient from "openapi-fetch";
import { base } from "./made/base.ts";
import type { components, paths } from "./made/fetch.ts";

type Star = components["schemas"]["Star"];
type Later = components["schemas"]["Later"];
// A request without Prefer is never answered by 202.
function made<Map extends object>(answer: Map | Later | undefined): Map {
    if (!answer || "state" in answer) throw new Error("no map");
    return answer as Map;
}
const api = createClient<paths>({ baseUrl: base });

const { data, error } = await api.POST("/regions", { body: { count: 8, seed: 7, mask: null } });
if (error) throw new Error(`${error.title}: ${error.errors?.map((e) => e.pointer).join()}`);
const { result, parameters } = made(data);
for (const { id, size, capital } of result.regions) {
    const [x, y] = capital;
    if (result.cells[y][x] !== id || y >= parameters.height) throw new Error("astray");
    console.log(`${id}: ${size} cells around ${x.toFixed()},${y.toFixed()}`);
}

const ground = "/areas?width=40&height=30&area=400&seed=4";
const world = await api.POST("/regions", { body: { mask: ground, grid: "square", seed: 7 } });
const mask: string | string[] | null | undefined = made(world.data).parameters.mask;
if (typeof mask !== "string") throw new Error("a mask that is read is no address");

const sky = await api.GET("/starlanes", { params: { query: { stars: 200, seed: "hello" } } });
if (!sky.data) throw new Error(sky.error.detail);
const { seed, result: galaxy } = made(sky.data);
const { stars, lanes } = galaxy;
const isFar = (star: Star): boolean => star.x + star.y > 1500 && !star.homeworld;
console.log(lanes.filter(([a, b]) => isFar(stars[a]) || isFar(stars[b])).length, seed);

const path = { suffix: "png" as const };
const query = { seed: 7, scale: 4, theme: "dark" as const };
const png = await api.GET("/islands.{suffix}", { params: { path, query }, parseAs: "blob" });
const picture: Blob = made(png.data);

const puzzle = await api.GET("/puzzle/generate", { params: { query: { width: 5, seed: 7 } } });
const grid = made(puzzle.data).result.grid;
const solved = await api.POST("/puzzle/solve", { body: { grid } });
const { paths: lines, unique } = made(solved.data).result;
const labels: string[] = lines.map((path) => path.label);
console.log(labels.join(), unique, picture.size);

const wrong = await api.POST("/areas", { body: { width: 0 } });
console.log(wrong.error?.type, wrong.error?.errors?.[0].pointer);

// With Prefer, a slow map is asked for again later.
const header = { Prefer: "respond-async" };
const slow = { query: { width: 1500, height: 1500, seed: 7 }, header };
const first = await api.GET("/islands", { params: slow });
const later: Later | undefined = first.data && "state" in first.data ? first.data : undefined;
const id = later?.id ?? "";
let state: string | undefined = later?.state;
while (state === "waiting" || state === "running") {
    const again = await api.GET("/maps/{id}", { params: { path: { id } } });
    state = again.data && "state" in again.data ? again.data.state : again.data?.id;
}
console.log(first.response.status, state === id);
