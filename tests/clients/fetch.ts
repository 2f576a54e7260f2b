// By openapi-typescript and openapi-fetch.
import createClient from "openapi-fetch";
import { base } from "./made/base.ts";
import type { components, paths } from "./made/fetch.ts";

type Star = components["schemas"]["Star"];
const api = createClient<paths>({ baseUrl: base });

const { data, error } = await api.POST("/regions", { body: { count: 8, seed: 7, mask: null } });
if (error) throw new Error(`${error.title}: ${error.errors?.map((e) => e.pointer).join()}`);
for (const { id, size, capital } of data.result.regions) {
    const [x, y] = capital;
    if (data.result.cells[y][x] !== id || y >= data.parameters.height) throw new Error("astray");
    console.log(`${id}: ${size} cells around ${x.toFixed()},${y.toFixed()}`);
}

const ground = "/areas?width=40&height=30&area=400&seed=4";
const world = await api.POST("/regions", { body: { mask: ground, grid: "square", seed: 7 } });
const mask: string | string[] | null | undefined = world.data?.parameters.mask;
if (typeof mask !== "string") throw new Error("a mask that is read is no address");

const sky = await api.GET("/starlanes", { params: { query: { stars: 200, seed: "hello" } } });
if (!sky.data) throw new Error(sky.error.detail);
const { stars, lanes } = sky.data.result;
const isFar = (star: Star): boolean => star.x + star.y > 1500 && !star.homeworld;
console.log(lanes.filter(([a, b]) => isFar(stars[a]) || isFar(stars[b])).length, sky.data.seed);

const path = { suffix: "png" as const };
const query = { seed: 7, scale: 4, theme: "dark" as const };
const png = await api.GET("/islands.{suffix}", { params: { path, query }, parseAs: "blob" });
const picture: Blob | undefined = png.data;

const puzzle = await api.GET("/puzzle/generate", { params: { query: { width: 5, seed: 7 } } });
const grid = puzzle.data?.result.grid ?? [];
const solved = await api.POST("/puzzle/solve", { body: { grid } });
const labels: string[] | undefined = solved.data?.result.paths.map((path) => path.label);
console.log(labels?.join(), solved.data?.result.unique, picture?.size);

const wrong = await api.POST("/areas", { body: { width: 0 } });
console.log(wrong.error?.type, wrong.error?.errors?.[0].pointer);
