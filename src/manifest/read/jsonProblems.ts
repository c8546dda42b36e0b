import { isArray, isObject, type JsonValue } from '../../base/json/json.ts';
import type { Problem } from '../../schema/record/problem.ts';
import { limits } from '../text/limits.ts';

type Trail = (string | number)[];

/**
 * Values that are illegal anywhere in a manifest, because they cannot be written to the platform as they are: keys that
 * the platform would read as patch directives (platform/patch.directives), `__proto__`, numbers and text that JSON
 * cannot represent, values that are too long or too deep.
 */
export function jsonProblems(value: JsonValue): readonly Problem[] {
  const problems: Problem[] = [];
  visit(value, [], problems);
  return problems;
}

function visit(value: JsonValue, pointer: Trail, problems: Problem[]): void {
  if (typeof value === 'string') {
    if (value.length > limits.scalarLength) problems.push(tooLong(pointer));
    else if (!value.isWellFormed()) problems.push(badText(pointer));
  } else if (typeof value === 'number') {
    if (!Number.isFinite(value)) problems.push(badNumber(pointer, value));
    else if (Math.abs(value) > Number.MAX_SAFE_INTEGER) problems.push(inexactNumber(pointer));
  } else if (typeof value === 'object' && value !== null) {
    if (pointer.length >= limits.depth) problems.push(tooDeep(pointer));
    else if (isArray(value)) visitList(value, pointer, problems);
    else if (isObject(value)) visitObject(value, pointer, problems);
  } else if (typeof value !== 'boolean' && value !== null) {
    problems.push(notData(pointer, typeof value));
  }
}

function visitList(list: readonly JsonValue[], pointer: Trail, problems: Problem[]): void {
  for (let index = 0; index < list.length; index += 1) {
    pointer.push(index);
    visit(list[index] ?? null, pointer, problems);
    pointer.pop();
  }
}

function visitObject(object: { readonly [key: string]: JsonValue }, pointer: Trail, problems: Problem[]): void {
  for (const key of Object.keys(object)) {
    pointer.push(key);
    // `$schema` at the top is for editors.
    if (key.startsWith('$') && !(key === '$schema' && pointer.length === 1)) problems.push(directive(pointer, key));
    else if (key === '__proto__') problems.push(unsafeKey(pointer));
    else visit(object[key] ?? null, pointer, problems);
    pointer.pop();
  }
}

function problem(pointer: Trail, rule: string, message: string, hint: string): Problem {
  return { rule, path: pointer.join('.'), pointer: [...pointer], message, hint, severity: 'error' };
}

function directive(pointer: Trail, key: string): Problem {
  const message = `"${key.slice(0, 60)}" would be read as a patch directive`;
  return problem(pointer, 'manifest.directive-key', message, 'Choose a name that does not begin with "$".');
}

function unsafeKey(pointer: Trail): Problem {
  return problem(pointer, 'manifest.unsafe-key', '"__proto__" is not a usable name', 'Choose another name.');
}

function tooLong(pointer: Trail): Problem {
  const message = `the value has more than ${limits.scalarLength} characters`;
  return problem(pointer, 'manifest.too-long', message, 'Store large content outside of manifests.');
}

function tooDeep(pointer: Trail): Problem {
  const message = `lists and objects are nested more than ${limits.depth} levels deep`;
  return problem(pointer, 'manifest.too-deep', message, 'Make the value flatter.');
}

function badNumber(pointer: Trail, value: number): Problem {
  return problem(pointer, 'manifest.not-json', `${value} is not a JSON number`, 'Write a finite number.');
}

/** Its last digits may not be those that were written. */
function inexactNumber(pointer: Trail): Problem {
  const message = `the number is outside of ±${Number.MAX_SAFE_INTEGER} and may lose precision`;
  return problem(
    pointer,
    'manifest.not-json',
    message,
    'Put it in quotes where text is legal; else use a smaller one.',
  );
}

function badText(pointer: Trail): Problem {
  const message = 'the text holds half of a surrogate pair, which UTF-8 cannot carry';
  return problem(pointer, 'manifest.not-json', message, 'Write the whole character.');
}

function notData(pointer: Trail, type: string): Problem {
  return problem(
    pointer,
    'manifest.not-json',
    `a ${type} is not data`,
    'Write text, a number, true, false, a list or an object.',
  );
}
