import { isUtf8 } from 'node:buffer';
import type { Unreadable } from './reading.ts';

/**
 * The value that bytes stand for. As text it loses one line break at its end, which editors and `echo` add; in base64
 * every byte counts.
 */
export function textOf(bytes: Buffer, base64: boolean, of: 'file' | 'output'): string | Unreadable {
  const what = of === 'file' ? 'the file' : 'the output of the command';
  if (bytes.length === 0) {
    return { rule: 'value.empty', message: `${what} is empty`, hint: 'Write the value, or leave the field out.' };
  }
  if (base64) return bytes.toString('base64');
  if (!isUtf8(bytes)) {
    const hint = 'Add base64: true beside the source, in a secret whose encoding is base64.';
    return { rule: 'value.encoding', message: `${what} is not UTF-8 text`, hint };
  }
  return bytes.toString('utf8').replace(/\r?\n$/, '');
}
