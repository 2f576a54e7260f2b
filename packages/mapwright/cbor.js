// cbor.js: reads CBOR (RFC 8949) as Mapwright writes it: definite lengths, integers up to 2^53,
// doubles, and typed arrays (RFC 8746) of integers, little-endian or of bytes.

import { toText } from "./text.js";

const ARRAYS = {
    64: Uint8Array,
    69: Uint16Array,
    70: Uint32Array,
    72: Int8Array,
    77: Int16Array,
    78: Int32Array,
};
const SIMPLE = { 20: false, 21: true, 22: null };

class Reader {
    constructor(bytes) {
        this.bytes = bytes;
        this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
        this.at = 0;
    }
    /* The number of an item: in its first byte, or in the 1, 2, 4 or 8 that follow. */
    length(short) {
        const { view, at } = this;
        if (short < 24) return short;
        this.at += 1 << (short - 24);
        if (short === 24) return view.getUint8(at);
        if (short === 25) return view.getUint16(at);
        return short === 26 ? view.getUint32(at) : Number(view.getBigUint64(at));
    }
    take(length) {
        if (this.at + length > this.bytes.length) throw new RangeError("the answer is cut off");
        this.at += length;
        return this.bytes.subarray(this.at - length, this.at);
    }
    list(length) {
        return Array.from({ length }, () => this.item());
    }
    members(length) {
        const object = {};
        for (let i = 0; i < length; i++) object[this.item()] = this.item();
        return object;
    }
    typed(tag) {
        const Kind = ARRAYS[tag],
            bytes = this.item();
        if (!Kind) throw new TypeError(`tag ${tag} is not of Mapwright`);
        return new Kind(bytes.slice().buffer);
    }
    simple(short) {
        if (short !== 27) return SIMPLE[short];
        this.at += 8;
        return this.view.getFloat64(this.at - 8);
    }
    item() {
        const [first] = this.take(1),
            kind = first >> 5;
        if (kind === 7) return this.simple(first & 31);
        const n = this.length(first & 31);
        if (kind === 0) return n;
        if (kind === 1) return -1 - n;
        if (kind === 2) return this.take(n);
        if (kind === 3) return toText(this.take(n));
        if (kind === 4) return this.list(n);
        return kind === 5 ? this.members(n) : this.typed(n);
    }
}

/** The value of a Uint8Array. */
export const decode = (bytes) => new Reader(bytes).item();
