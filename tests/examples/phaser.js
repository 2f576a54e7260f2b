// phaser.js: what examples/phaser.html wants of Phaser, in its place: what is drawn is counted in `drawn`.
window.drawn = { hexagons: 0, capitals: 0, hit: 0, label: "" };

class Graphics {
    on(event, then) {
        this[event] = then;
    }
    clear() {
        return this;
    }
    fillStyle(colour) {
        if (!Number.isInteger(colour)) throw new Error("a colour is an integer");
        return this;
    }
    fillPoints(points, close) {
        if (points.length !== 6 || !close) throw new Error("not a hexagon");
        drawn.hexagons++;
    }
    fillCircle() {
        drawn.capitals++;
    }
    setInteractive(area, hits) {
        drawn.hit += area.every(([x, y]) => hits(area, x, y)) && !hits(area, -99, -99);
    }
}

window.Phaser = {
    Display: { Color: { HSLToColor: (h) => ({ color: Math.floor(h * 0xffffff) }) } },
    Scene: class {
        add = {
            text: (x, y, words) => {
                const label = { setDepth: () => label, setText: (said) => (drawn.label = said) };
                drawn.label = words;
                return label;
            },
            graphics: () => new Graphics(),
        };
    },
    Game: class {
        constructor({ scene: [Scene] }) {
            new Scene().create();
        }
    },
};
