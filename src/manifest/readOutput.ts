import {
  At,
  flag,
  json,
  map,
  object,
  optional,
  type ReadProblem,
  sentenceOf,
  text,
  textLike,
  tryRead,
} from '../base/form/read.ts';
import { isObject, type JsonValue, own } from '../base/json/json.ts';
import { isMasked } from '../base/json/mask.ts';
import { present } from '../base/json/present.ts';
import { isDeclarable } from '../schema/record/kinds.ts';
import { liveFaults, liveReferences, shownOnce } from './live/liveReference.ts';
import { isShownOnce } from './live/shownOnce.ts';
import { codeOf, fileProblem, type LocatedProblem } from './model/locatedProblem.ts';
import { type ManifestDocument, type Output, outputKind } from './model/manifest.ts';

/** The form that `gantry output NAME` accepts: it cannot be mistaken for the path of a folder. */
export const outputName = /^[A-Za-z][\w-]{0,63}$/;

const notShownOnce = {
  rule: 'output.save',
  message: 'only what is shown once is saved to a file, and this value can be read again',
  hint: 'Leave out saveTo: gantry output NAME prints the value.',
};

const members = object({
  kind: textLike((given) => given === outputKind, outputKind),
  name: textLike((given) => outputName.test(given), 'letters, digits, "-" and "_", beginning with a letter'),
  value: map(json, (given, at) => {
    if (given === null) throw at.bad('must be a value');
    if (isMasked(given)) throw at.bad('must be the value, which gantry synth --reveal prints: this is its mask');
    return given;
  }),
  description: optional(text),
  sensitive: optional(flag),
  saveTo: optional(object({ file: text })),
});

export function isOutput(value: JsonValue): boolean {
  return isObject(value) && own(value, 'kind') === outputKind && !isDeclarable(outputKind);
}

export interface ReadOutput {
  /** Absent if it cannot be read. */
  readonly output?: Output;
  readonly problems: readonly LocatedProblem[];
}

/** The manifest of an output: `kind: output`, `name`, `value`, and optional members. */
export function readOutput({ value, locate, madeBy }: ManifestDocument): ReadOutput {
  const read = tryRead(() => members.read(value, new At()));
  const problemAt = (
    { pointer, isOfName }: Pick<ReadProblem, 'pointer' | 'isOfName'>,
    rule: string,
    message: string,
    hint?: string,
  ) => ({
    ...fileProblem(locate(pointer, isOfName === true ? 'field' : 'value'), rule, message, hint),
    ...codeOf(madeBy),
  });
  if ('problems' in read) {
    return { problems: read.problems.map((each) => problemAt(each, 'output.form', sentenceOf(each), each.hint)) };
  }
  const { name, value: declared, description, sensitive = false, saveTo } = read.value;
  const faults = liveFaults(declared).map(({ at, message, hint }) =>
    problemAt({ pointer: ['value', ...at] }, 'live.reference', message, hint),
  );
  const references = liveReferences(declared);
  const unsaved = saveTo === undefined ? references.filter(isShownOnce).map(shownOnce) : [];
  const readable =
    saveTo !== undefined && (references.length === 0 || !references.every(isShownOnce)) ? [notShownOnce] : [];
  const once = [...unsaved, ...readable].map(({ rule, message, hint }) =>
    problemAt({ pointer: ['value'] }, rule, message, hint),
  );
  const output = {
    name,
    value: declared,
    sensitive,
    locate,
    ...present({ saveTo, description, stack: madeBy?.stack }),
  };
  return { output, problems: [...faults, ...once] };
}
