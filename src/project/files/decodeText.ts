import { isUtf8 } from 'node:buffer';
import { fileProblem, type LocatedProblem } from '../../manifest/model/locatedProblem.ts';

/** The text of a file, or the position of the first byte that is not UTF-8. */
export function decodeText(
  bytes: Buffer,
  file: string,
): { readonly text: string } | { readonly problem: LocatedProblem } {
  if (isUtf8(bytes)) return { text: bytes.toString('utf8') };

  let line = 1;
  let start = 0;
  for (let end = bytes.indexOf(10); end >= 0 && isUtf8(bytes.subarray(start, end)); end = bytes.indexOf(10, start)) {
    start = end + 1;
    line += 1;
  }
  const end = bytes.indexOf(10, start);
  const column =
    bytes
      .subarray(start, end < 0 ? undefined : end)
      .toString('utf8')
      .indexOf('\uFFFD') + 1;
  const place = { file, line, column: Math.max(1, column) };
  return { problem: fileProblem(place, 'input.encoding', 'the text is not UTF-8', 'Save the file as UTF-8.') };
}
