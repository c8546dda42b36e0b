import { tooLarge } from './fileRefusal.ts';

/** The content of a stream. Errors: `FileRefusal` above the limit. */
export async function readStream(stream: AsyncIterable<Uint8Array | string>, most: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let total = 0;
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk);
    total += bytes.length;
    if (total > most) throw tooLarge(most);
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}
