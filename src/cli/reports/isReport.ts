import { readFileSync, statSync } from 'node:fs';
import { isArray, isObject, type JsonObject, objectAt, own, stringAt } from '../../base/json/json.ts';

/** A report that is larger is none that a tool could read. */
const mostBytes = 2 ** 28;

/** Does this file hold a report of an earlier run, in any form, or nothing? Errors: those of the system. */
export function isReportFile(path: string): boolean {
  return statSync(path).size <= mostBytes && isReport(readFileSync(path, 'utf8'));
}

/** A file of somebody else is never replaced: each form is known by what no other tool writes, and by all of it. */
function isReport(text: string): boolean {
  return text.trim() === '' || texts.some((isForm) => isForm(text)) || isDocument(parsed(text));
}

const texts: readonly ((text: string) => boolean)[] = [
  // HTML
  (text) =>
    /^<!doctype html>\s*<html lang="en">\s*<head>\s*<meta charset="utf-8">\s*<meta http-equiv="content-security-policy"/.test(
      text,
    ) &&
    text.includes('<div id="page" aria-busy="true"></div>') &&
    text.includes('<script type="application/json" id="report">'),
  // Markdown
  (text) => /^<!-- gantry report stack=\S+ env=\S+ -->\s/.test(text),
  // JUnit
  (text) =>
    /^<\?xml version="1\.0" encoding="UTF-8"\?>\s*<testsuites name="gantry" [^>]*>\s*<testsuite name="gantry [^>]*>/.test(
      text,
    ),
];

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isDocument(value: unknown): boolean {
  if (isArray(value)) return value.every((issue) => stringOf(issue, 'engine_name') === 'gantry');
  if (!isObject(value)) return false;
  return isSarif(value) || isError(value) || isResult(value) || areStacks(value);
}

function stringOf(value: unknown, key: string): string | undefined {
  return isObject(value) ? stringAt(value, key) : undefined;
}

function isSarif(value: JsonObject): boolean {
  const runs = own(value, 'runs');
  if (!isArray(runs) || runs.length !== 1 || stringAt(value, '$schema')?.includes('sarif') !== true) return false;
  return runs.every((run) => isObject(run) && stringAt(objectAt(objectAt(run, 'tool'), 'driver'), 'name') === 'gantry');
}

type Test = (value: unknown) => boolean;
const text: Test = (value) => typeof value === 'string';
const count: Test = (value) => typeof value === 'number';
const flag: Test = (value) => typeof value === 'boolean';
const plan = { formatVersion: count, org: text, stack: text };

/** The members that a document for programs always has, by the command; it may have more. */
const results: readonly Readonly<Record<string, Test>>[] = [
  {
    ...plan,
    refused: flag,
    changes: isArray,
    refusals: isArray,
    notes: isArray,
    requests: isObject,
    summary: isObject,
  },
  { ...plan, drifted: flag, declarationsKnown: flag, resources: isArray, requests: count, summary: isObject },
  { ...plan, resource: text, action: text, reason: text, requests: isArray, choices: isArray, fields: isArray },
  { valid: flag, resources: count, problems: isArray },
];

/** `gantry`: it is a saved plan, or another file that says by itself what it is. */
function isResult(value: JsonObject): boolean {
  if (Object.hasOwn(value, 'gantry')) return false;
  return results.some((members) => Object.entries(members).every(([key, is]) => is(own(value, key))));
}

/** Results of several stacks, as far as they went. */
function areStacks(value: JsonObject): boolean {
  const stacks = own(value, 'stacks');
  if (!isArray(stacks) || !hasOnly(value, ['stacks', 'error'])) return false;
  return stacks.every((each) => isObject(each) && (isResult(each) || isError(each)));
}

/** A failure before there was a result. */
function isError(value: JsonObject): boolean {
  const error = objectAt(value, 'error');
  const isCode = /^[a-z]+(?:\.[a-z-]+)*$/.test(stringAt(error, 'code') ?? '');
  return hasOnly(value, ['error']) && isCode && text(own(error, 'message')) && text(own(error, 'retry'));
}

function hasOnly(value: JsonObject, keys: readonly string[]): boolean {
  return Object.keys(value).every((key) => keys.includes(key));
}
