// voxels.cjs: the voxels of each file, as another program reads it: [x, y, z, "rrggbb"] in the
// world, as JSON.
const fs = require("fs");
const { createRequire } = require("module");
const reader = createRequire(process.cwd() + "/")("vox-reader");
const list = (one) => (Array.isArray(one) ? one : [one]);
const hex = ({ r, g, b }) => [r, g, b].map((c) => c.toString(16).padStart(2, "0")).join("");

const voxelsOf = (file) => {
    const vox = (reader.default || reader)([...fs.readFileSync(file)]);
    const voxels = [];
    // a shape's place is said by the node that moves it, which is a child of the only group
    for (const shape of list(vox.nshp)) {
        const move = list(vox.ntrn).find((node) => node.child === shape.nodeId);
        if (!vox.ngrp.children.includes(move.nodeId))
            throw new Error("a model is not in the group");
        const place = move.frames[0]._t.split(" ").map(Number);
        const [model] = shape.models[0];
        const size = list(vox.size)[model];
        const low = [size.x, size.y, size.z].map((side, i) => place[i] - Math.floor(side / 2));
        for (const { x, y, z, i } of list(vox.xyzi)[model].values)
            voxels.push([x + low[0], y + low[1], z + low[2], hex(vox.rgba.values[i - 1])]);
    }
    return voxels;
};
process.stdout.write(JSON.stringify(process.argv.slice(2).map(voxelsOf)));
