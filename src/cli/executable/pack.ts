import { gunzipSync, gzipSync } from 'node:zlib';

/** A file with its path, which has `/` between folders. */
export interface PackedFile {
  readonly path: string;
  readonly content: Uint8Array;
}

const headerLength = 4;

/** Packs files into one: the length of a list, the list of paths and lengths, then the contents; compressed. */
export function pack(files: readonly PackedFile[]): Buffer {
  const list = Buffer.from(JSON.stringify(files.map(({ path, content }) => [path, content.length])));
  const header = Buffer.alloc(headerLength);
  header.writeUInt32LE(list.length);
  return gzipSync(Buffer.concat([header, list, ...files.map(({ content }) => content)]), { level: 9 });
}

export function unpack(packed: Uint8Array): readonly PackedFile[] {
  const bytes = gunzipSync(packed);
  let at = headerLength + bytes.readUInt32LE();
  const list: readonly (readonly [path: string, length: number])[] = JSON.parse(
    bytes.toString('utf8', headerLength, at),
  );
  return list.map(([path, length]) => {
    const content = bytes.subarray(at, at + length);
    at += length;
    return { path, content };
  });
}
