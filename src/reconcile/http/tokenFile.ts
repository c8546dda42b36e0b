import { stat } from 'node:fs/promises';
import { At, choice, list, name, object, optional, sentenceOf, textLike, tryRead } from '../../base/form/read.ts';
import { ToolError } from '../../base/toolError.ts';
import { readDocumentFile } from '../../project/files/documentFile.ts';
import { roles } from '../model.ts';
import type { KnownToken } from './access.ts';

const tokenFile = object({
  tokens: list(
    object({
      name,
      role: choice(...roles),
      subject: optional(name),
      sha256: textLike((given) => /^[0-9a-f]{64}$/.test(given), 'the SHA-256 of the token, 64 hexadecimal digits'),
    }),
  ),
});

/** The tokens of a file, read again whenever it changes, so that a token that is taken out stops working. */
export class Tokens {
  readonly #path: string | undefined;
  #known: readonly KnownToken[] = [];
  #stamp = '';

  private constructor(path: string | undefined) {
    this.#path = path;
  }

  /** Errors: `file.read`, `reconcile.tokens`. */
  static async open(path: string | undefined): Promise<Tokens> {
    const tokens = new Tokens(path);
    if (path !== undefined) tokens.#known = await readTokens(path);
    return tokens;
  }

  /** None while the file cannot be read: nobody is let in by what it said before. */
  async now(): Promise<readonly KnownToken[]> {
    if (this.#path === undefined) return [];
    const found = await stat(this.#path).catch(() => undefined);
    const stamp = found === undefined ? 'none' : `${found.mtimeMs} ${found.ctimeMs} ${found.size} ${found.ino}`;
    if (stamp !== this.#stamp) {
      this.#known = await readTokens(this.#path).catch(() => []);
      this.#stamp = stamp;
    }
    return this.#known;
  }
}

const anyAccessOfOthers = 0o077;

async function readTokens(path: string): Promise<readonly KnownToken[]> {
  const document = await readDocumentFile(path, '--tokens');
  const found = await stat(path);
  if (process.platform !== 'win32' && (found.mode & anyAccessOfOthers) !== 0) {
    throw unsound(path, 'other users may read it', `chmod 600 ${path}`);
  }
  const read = tryRead(() => tokenFile.read(document, new At({ file: path })));
  if ('problems' in read) {
    const hint = 'It is tokens: [{name: TEXT, role: read or approve, sha256: DIGEST}].';
    throw unsound(path, sentenceOf(read.problems[0]), hint);
  }
  const { tokens } = read.value;
  const twice = tokens.find(({ sha256 }, at) => tokens.findIndex((other) => other.sha256 === sha256) !== at);
  if (twice !== undefined) throw unsound(path, `the token of ${twice.name} is there twice`, 'Give each its own.');
  return tokens;
}

function unsound(path: string, message: string, hint: string): ToolError {
  return new ToolError({ code: 'reconcile.tokens', message: `${path}: ${message}`, hint, place: { file: path } });
}
