import { userFrame } from '../../../constructs/origin.ts';
import type { Position } from '../../manifest/model/manifest.ts';
import { NoAnswer } from '../../policies/run/runPolicy.ts';
import { isOurs, syntaxPlace } from '../stack/codeFrames.ts';
import { errorText } from '../stack/parserMessage.ts';
import { memberOf, readThrown, type Thrown } from '../stack/thrown.ts';
import type { PolicyFailure } from './request.ts';

/** What was thrown, in one line, and the line of user code that threw it. */
export interface ThrownAt {
  readonly message: string;
  readonly position: Position | undefined;
}

export function thrownAt(error: unknown): ThrownAt {
  const thrown = readThrown(error);
  return { message: messageOf(thrown), position: syntaxPlace(thrown.stack) ?? userFrame(thrown.frames, isOurs) };
}

/** Of Node's permission model. */
const isDenied = /Access to this API has been restricted/;

const readHint =
  'Policies can read their project, and what is installed for it, if no link in it leads to another folder: see docs/policies.md.';

/** A file that cannot be loaded. */
export function loadFailure(error: unknown, file: string): PolicyFailure {
  const { message, position = { file, line: 1, column: 1 } } = thrownAt(error);
  const own = memberOf(error, 'hint');
  const code = readThrown(error).code;
  if (code === 'policies.definition' && typeof own === 'string')
    return { code, message: readThrown(error).message, hint: own, position };
  const hint =
    code === 'ERR_MODULE_NOT_FOUND'
      ? 'Install the package, or correct the import (relative imports need their extension).'
      : isDenied.test(message)
        ? readHint
        : 'Correct the file.';
  return { code: 'policies.load', message: `the file cannot be loaded: ${message}`, hint, position };
}

/** Two policies have one id. */
export function twiceFailure(id: string, position: Position | undefined): PolicyFailure {
  return {
    code: 'policies.twice',
    message: `there are two policies with the id ${id}`,
    hint: 'Ids are unique: choose another one. That of the starter set and of rules in gantry.yaml count too.',
    ...(position === undefined ? {} : { position }),
  };
}

/** A policy that gave no answer. `position`: where it was made. */
export function answerFailure(id: string, error: unknown, position: Position | undefined): PolicyFailure {
  const { cause, message, resource } = error instanceof NoAnswer ? error : new NoAnswer('it threw', undefined, error);
  const of = resource === undefined ? {} : { resource };
  if (cause === undefined) {
    const hint =
      'A policy returns a list of problems, such as [{message: "…", path: "spec.type"}]; an empty one where nothing is wrong.';
    const said = `the policy ${id} gave no answer: ${message}`;
    return { code: 'policies.result', message: said, hint, ...(position === undefined ? {} : { position }), ...of };
  }
  const thrown = thrownAt(cause);
  const at = thrown.position ?? position;
  return {
    code: 'policies.throws',
    message: `the policy ${id} threw ${thrown.message}`,
    hint: hintOf(readThrown(cause)),
    ...(at === undefined ? {} : { position: at }),
    ...of,
  };
}

/** An error that came when nobody waited for it: of a promise, or of a timer. */
export function lostFailure(id: string | undefined, error: unknown, position: Position | undefined): PolicyFailure {
  const thrown = thrownAt(error);
  const at = thrown.position ?? position;
  const who = id === undefined ? 'a file of policies' : `the policy ${id}`;
  return {
    code: 'policies.throws',
    message: `${who} caused an unhandled error: ${thrown.message}`,
    hint: 'Await the promises that the policy starts.',
    ...(at === undefined ? {} : { position: at }),
  };
}

/** To be called where `process.exit` is. */
export function exitFailure(code: unknown): PolicyFailure {
  const position = userFrame(new Error().stack ?? '', isOurs);
  const shown = typeof code === 'string' || typeof code === 'number' ? code : '';
  return {
    code: 'policies.ended',
    message: `a policy ended the process (process.exit(${shown}))`,
    hint: 'Return problems, or throw an error.',
    ...(position === undefined ? {} : { position }),
  };
}

function messageOf(thrown: Thrown): string {
  return thrown.isError ? errorText(thrown) : thrown.value;
}

function hintOf({ message }: Thrown): string {
  if (isDenied.test(message)) return readHint;
  if (/read.only property|object is not extensible|Cannot delete property/.test(message)) {
    return 'The arguments of a policy are read-only: copy a value before you change it.';
  }
  return 'Correct the policy. Use ?. to read fields that a manifest may omit.';
}
