// arrays.cjs: files of CBOR, as JavaScript has them by cbor-x: as JSON, with typed arrays as
// {"array": "Uint16Array", "values": [...]}.
const fs = require("fs");
const { createRequire } = require("module");
const { decode } = createRequire(process.cwd() + "/")("cbor-x");
const typed = (name, value) => {
    if (typeof value === "bigint") return Number(value); // seeds above 2^32
    return ArrayBuffer.isView(value)
        ? { array: value.constructor.name, values: [...value] }
        : value;
};
const answers = process.argv.slice(2).map((file) => decode(fs.readFileSync(file)));
process.stdout.write(JSON.stringify(answers, typed));
