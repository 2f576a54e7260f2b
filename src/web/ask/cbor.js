// cbor.js: decodes what src/enc/data/cbor.c writes: CBOR (RFC 8949) of the values of JSON, with definite
// lengths, and typed arrays (RFC 8746). The package for npm has a copy.
import { toText } from "./text.js";

const TYPED = {
    64: Uint8Array,
    69: Uint16Array,
    70: Uint32Array,
    72: Int8Array,
    77: Int16Array,
    78: Int32Array,
};
const SIMPLE = { 20: false, 21: true, 22: null };

class Decoder {
    constructor(bytes) {
        this.bytes = bytes;
        this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
        this.at = 0;
    }

    /* Skips so many bytes; returns where they begin. */
    take(length) {
        const start = this.at;
        if (start + length > this.bytes.length) throw new SyntaxError("the answer is cut off");
        this.at += length;
        return start;
    }

    number(low) {
        if (low < 24) return low;
        if (low === 24) return this.view.getUint8(this.take(1));
        if (low === 25) return this.view.getUint16(this.take(2));
        if (low === 26) return this.view.getUint32(this.take(4));
        if (low === 27) return Number(this.view.getBigUint64(this.take(8)));
        throw new SyntaxError("the answer has an item without a length");
    }

    item() {
        const head = this.view.getUint8(this.take(1));
        const [kind, low] = [head >> 5, head & 31];
        if (kind === 7) return this.simple(low);
        const number = this.number(low);
        if (kind === 0) return number;
        if (kind === 1) return -1 - number;
        if (kind === 2) return this.bytes.slice(this.take(number), this.at);
        if (kind === 3) return toText(this.bytes.subarray(this.take(number), this.at));
        if (kind === 4) return this.list(number);
        return kind === 5 ? this.map(number) : this.typed(number);
    }

    simple(low) {
        if (low === 27) return this.view.getFloat64(this.take(8));
        if (low in SIMPLE) return SIMPLE[low];
        throw new SyntaxError(`the answer has the simple value ${low}`);
    }

    list(length) {
        return Array.from({ length }, () => this.item());
    }

    map(length) {
        const all = {};
        for (let i = 0; i < length; i++) {
            const key = this.item();
            all[key] = this.item();
        }
        return all;
    }

    typed(tag) {
        const bytes = this.item();
        if (!(tag in TYPED)) throw new SyntaxError(`the answer has the tag ${tag}`);
        return new TYPED[tag](bytes.buffer);
    }
}

/** The value of a Uint8Array. */
export function decode(bytes) {
    const decoder = new Decoder(bytes);
    const value = decoder.item();
    if (decoder.at < bytes.length) throw new SyntaxError("the answer goes on after its end");
    return value;
}
