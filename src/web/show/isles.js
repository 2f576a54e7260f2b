// isles.js: islands in the sky, as a world that can be turned and as a plan.
import { Ground } from "../draw/ground.js";
import { Lattice } from "../draw/lattice.js";
import { mix } from "../draw/palette.js";
import { drawFlag, flagLetter } from "../draw/flags.js";
import { Voxels } from "../draw/voxels.js";
import { Rows } from "../draw/rows.js";
import { count, range, sum } from "./words.js";
import { World } from "../draw/world.js";

const PLAN = 1 << 20; // cells from which on a world is first shown as a plan
const TURN = Math.PI / 8;
const TILT = 0.15;

class Isles {
    constructor(frame, { result }, before) {
        this.frame = frame;
        this.result = result;
        this.route = result.route;
        this.islands = new Rows(result.islands);
        this.world = World.revive(result.world);
        this.flat = before instanceof Isles ? before.flat : result.width * result.height > PLAN;
        this.voxels = new Voxels(this.world, before?.voxels);
        this.lit = 0;
        this.closest = 110;
        this.top = 40; // for a flag on the farthest cell
        this.layPlan(frame.colours);
        this.buttons = [
            {
                name: "Turn left",
                icon: "left",
                press: () => this.turn(TURN),
                idle: () => this.flat,
            },
            {
                name: "Turn right",
                icon: "right",
                press: () => this.turn(-TURN),
                idle: () => this.flat,
            },
            {
                name: "In three dimensions",
                icon: "cube",
                press: () => this.flip(),
                on: () => !this.flat,
            },
        ];
    }

    get kind() {
        return this.flat ? "isles plan" : "isles";
    }
    get box() {
        return this.flat ? this.lattice.box : this.voxels.box;
    }

    get help() {
        return "Arrow keys go from island to island. Drag to turn, with shift or two fingers to move. Q and E turn, page up and down tilt, plus and minus zoom.";
    }

    layPlan(colours) {
        const { world } = this;
        const { ids, heights } = world;
        const { deck, layers } = colours.land;
        this.lattice = new Lattice(world.width, world.height, "square", "none");
        const air = mix(colours.sky[0], colours.sky[1], 0.6);
        this.ground = new Ground({
            lattice: this.lattice,
            labels: ids,
            count: this.islands.length,
            covered: sum(this.islands.numbers("size")),
            tones: [air, deck[0], ...layers.map(([top]) => top)],
            tone: (cell) => (ids[cell] > 0 ? world.layer(heights[cell]) + 2 : -ids[cell]),
            outside: mix(air, colours.back, 0.55),
            border: colours.border,
            net: colours.net,
            seam: colours.seam,
            glow: mix(layers[1][0], "#ffffff", 0.55),
        });
    }

    describe() {
        const { width, height, bridges, start, end } = this.result;
        const what = `${count(this.islands.length, "island")} in a sky of ${width} by ${height}`;
        const joined = `${count(bridges, "bridge")}, ${range(this.islands.numbers("size"))}`;
        const steps = this.route.length - 1;
        const way = `The way from island ${start} to island ${end} takes ${count(steps, "bridge")}.`;
        return `${what}, ${joined}.${steps > 0 ? ` ${way}` : ""}`;
    }

    draw(context, view) {
        if (!this.flat) return this.voxels.draw(context, view, this.frame.colours, this.lit);
        this.ground.draw(context, view, this.lit);
        this.drawRoute(context, view.camera);
        const { camera } = view;
        const letter = flagLetter(this.world, camera);
        for (const [cell, kind] of this.world.flags) {
            const x = (cell % this.world.width) + 0.5;
            const y = Math.floor(cell / this.world.width) + 0.5;
            const foot = [camera.screenX(x), camera.screenY(y)];
            drawFlag(context, camera, foot, letter, kind, this.frame.colours);
        }
    }

    drawRoute(context, camera) {
        const { way, width } = this.world;
        context.beginPath();
        way.forEach((cell, i) => {
            const x = camera.screenX((cell % width) + 0.5);
            const y = camera.screenY(Math.floor(cell / width) + 0.5);
            context[i ? "lineTo" : "moveTo"](x, y);
        });
        context.lineCap = context.lineJoin = "round";
        context.lineWidth = Math.min(Math.max(camera.scale * 0.26, 1.5), 12);
        context.strokeStyle = this.frame.colours.land.litDeck[0];
        context.stroke();
    }

    // ---- turning ----

    flip() {
        this.flat = !this.flat;
        this.frame.aim();
        this.frame.redraw();
    }

    turn(by, tilt = 0) {
        if (this.flat) return;
        this.frame.glide(
            (share) => this.voxels.turn(this.frame.camera, by * share, tilt * share),
            260,
        );
    }

    grab(at, event) {
        if (this.flat || event.shiftKey || event.button === 1) return null;
        return {
            move: (to, by) => this.voxels.turn(this.frame.camera, -by.x * 0.008, by.y * 0.006),
            end() {},
        };
    }

    key(event) {
        const by = { q: [TURN, 0], e: [-TURN, 0], pageup: [0, TILT], pagedown: [0, -TILT] }[
            event.key.toLowerCase()
        ];
        if (by) this.turn(...by);
        return Boolean(by);
    }

    fitted() {
        this.voxels.reset();
    }

    // ---- under the pointer, and walked to ----

    get things() {
        const centres = this.islands.numbers("center");
        return {
            count: this.islands.length,
            place: (i) => this.placeOf(centres[2 * i], centres[2 * i + 1]),
            beside: (i) => this.islands.at(i).neighbors.map((id) => id - 1),
            light: (i) => (this.lit = i + 1),
            tell: (i) => this.tell(this.islands.at(i)),
        };
    }

    placeOf(x, y) {
        if (this.flat) return { x: x + 0.5, y: y + 0.5 };
        return this.voxels.placeOf(y * this.world.width + x);
    }

    point(at) {
        const cell = at ? this.cellAt(at) : -1;
        const id = cell < 0 ? 0 : this.world.ids[cell];
        this.lit = Math.max(id, 0);
        if (!id) return null;
        const here = `cell ${cell % this.world.width}, ${Math.floor(cell / this.world.width)}`;
        return {
            key: id,
            text:
                id > 0
                    ? `${this.tell(this.islands.at(id - 1))}\n${here}, ${count(this.world.heights[cell], "layer")}`
                    : `Bridge\n${here}`,
        };
    }

    cellAt({ x, y }) {
        const { camera } = this.frame;
        if (!this.flat) return this.voxels.pick(camera.planeX(x), camera.planeY(y));
        return this.lattice.index(...this.lattice.at(camera.planeX(x), camera.planeY(y)));
    }

    tell({ id, name, size, neighbors }) {
        const { start, end } = this.result;
        const part =
            id === start
                ? ", the start"
                : id === end
                  ? ", the end"
                  : this.route.includes(id)
                    ? ", on the way"
                    : "";
        const joined = neighbors.length
            ? `\n${neighbors.length === 1 ? "bridge" : "bridges"} to ${neighbors.join(", ")}`
            : "";
        return `${name ?? `Island ${id}`}${part}: ${count(size, "cell")}${joined}`;
    }
}

export const isles = {
    fits: ({ result }) => Boolean(result.world),
    make: (frame, answer, before) => new Isles(frame, answer, before),
};
