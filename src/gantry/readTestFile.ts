import { isArray, isObject, type JsonArray, type JsonObject, type JsonValue, own } from '../base/json/json.ts';
import type { Pointer } from '../base/json/pointer.ts';
import { available, suggestion } from '../base/text/suggestion.ts';
import { ToolError } from '../base/toolError.ts';
import type { ManifestDocument } from '../manifest/model/document.ts';
import type { Locate, Position } from '../manifest/model/manifest.ts';
import { formatPosition } from '../manifest/model/renderProblem.ts';
import { readDataFile } from '../project/files/dataFile.ts';
import { displayPath } from '../project/files/displayPath.ts';
import { systemReason } from '../project/files/fileRefusal.ts';
import { fileSizes } from '../project/files/sizes.ts';
import type { ExpectedProblem, TestCase, TestFile } from './testCase.ts';

const optional = ['resource', 'path', 'severity', 'message'] as const;

/** Reads a file of tests; absolute. Errors: `policies.test-file`. */
export async function readTestFile(path: string, cwd: string): Promise<TestFile> {
  const file = displayPath(path, cwd);
  const start = { file, line: 1, column: 1 };
  const { value, locate = () => start } = await readDataFile(path, { most: fileSizes.manifests }).catch((error) => {
    throw wrong(start, systemReason(error));
  });
  const at: Locate = (pointer, of) => ({ ...locate(pointer, of), file });
  return new Reader(at).file(value, file);
}

class Reader {
  readonly #at: Locate;

  constructor(at: Locate) {
    this.#at = at;
  }

  file(value: JsonValue, file: string): TestFile {
    const document = this.#object(value, [], ['policies', 'cases']);
    const policies = own(document, 'policies');
    const names = policies === undefined ? undefined : this.#list(policies, ['policies'], 'ids of policies');
    return {
      file,
      policies: names?.map((name, index) => this.#text(name, ['policies', index], 'the id of a policy')),
      cases: this.#list(own(document, 'cases'), ['cases'], 'cases').map((each, index) =>
        this.#case(each, ['cases', index]),
      ),
    };
  }

  #case(value: JsonValue, at: Pointer): TestCase {
    const fields = this.#object(value, at, ['name', 'now', 'manifests', 'live', 'expect']);
    const live = own(fields, 'live');
    const now = own(fields, 'now');
    const expected = this.#list(
      own(fields, 'expect'),
      [...at, 'expect'],
      'problems; an empty one where nothing is wrong',
    );
    return {
      name: this.#text(own(fields, 'name'), [...at, 'name'], 'what is tried, in words'),
      position: this.#at(at),
      now: now === undefined ? undefined : this.#time(now, [...at, 'now']),
      manifests: this.#manifests(own(fields, 'manifests'), [...at, 'manifests']),
      live: live === undefined ? undefined : this.#manifests(live, [...at, 'live']),
      expected: expected.map((each, index) => this.#expected(each, [...at, 'expect', index])),
    };
  }

  #manifests(value: JsonValue | undefined, at: Pointer): readonly ManifestDocument[] {
    return this.#list(value, at, 'manifests').map((each, index) => ({
      value: each,
      locate: (pointer, of) => this.#at([...at, index, ...pointer], of),
    }));
  }

  #expected(value: JsonValue, at: Pointer): ExpectedProblem {
    const fields = this.#object(value, at, ['policy', ...optional]);
    const texts = optional.flatMap((key) => {
      const text = own(fields, key);
      return text === undefined ? [] : [[key, this.#text(text, [...at, key], 'a text')] as const];
    });
    const policy = this.#text(own(fields, 'policy'), [...at, 'policy'], 'the id of a policy');
    return { policy, ...Object.fromEntries(texts), position: this.#at(at) };
  }

  #object(value: JsonValue, at: Pointer, keys: readonly string[]): JsonObject {
    if (!isObject(value)) throw wrong(this.#at(at), `it must be an object with ${keys.join(', ')}`);
    const unknown = Object.keys(value).find((key) => !keys.includes(key));
    if (unknown === undefined) return value;
    const hint = suggestion(unknown, keys) ?? available(keys);
    throw wrong(this.#at([...at, unknown]), `there is no ${JSON.stringify(unknown)} here`, hint);
  }

  #list(value: JsonValue | undefined, at: Pointer, of: string): JsonArray {
    if (isArray(value)) return value;
    throw wrong(this.#at(at), `${at.at(-1)} must be a list of ${of}`);
  }

  #time(value: JsonValue, at: Pointer): string {
    const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN;
    if (Number.isNaN(ms)) throw wrong(this.#at(at), 'now must be a time, such as 2027-01-31T09:30:00Z');
    return new Date(ms).toISOString();
  }

  #text(value: JsonValue | undefined, at: Pointer, what: string): string {
    if (typeof value === 'string' && value !== '') return value;
    throw wrong(this.#at(at), `${at.at(-1)} must be ${what}`);
  }
}

function wrong(place: Position, message: string, hint?: string): ToolError {
  return new ToolError({
    code: 'policies.test-file',
    message: `${formatPosition(place)}: ${message}`,
    hint: hint ?? 'A case has a name, manifests, and what it expects: cases: [{name, manifests: […], expect: []}].',
    place,
  });
}
