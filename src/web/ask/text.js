// text.js: UTF-8, also where there is no TextEncoder (Jest with jsdom).

const { TextDecoder, TextEncoder } = globalThis;
const HEX = Array.from({ length: 256 }, (_, byte) => `%${byte.toString(16).padStart(2, "0")}`);

export const toBytes = TextEncoder
    ? (text) => new TextEncoder().encode(text)
    : (text) =>
          Uint8Array.from(encodeURIComponent(text).match(/%..|[^]/g) ?? [], (piece) =>
              piece.length > 1 ? parseInt(piece.slice(1), 16) : piece.charCodeAt(0),
          );

export const toText = TextDecoder
    ? (bytes) => new TextDecoder().decode(bytes)
    : (bytes) => decodeURIComponent(Array.from(bytes, (byte) => HEX[byte]).join(""));
