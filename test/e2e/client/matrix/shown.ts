import { load, loadAll } from 'js-yaml';
import { isObject } from '../../../../src/base/json/json.ts';
import { type ClientFormat, type CommandRow, formatsOfResult } from '../../../../src/commands/call/command.ts';
import { isCreatableKind } from '../../../../src/schema/record/kinds.ts';
import type { Outcome } from '../../../outcome.ts';
import type { Step } from './step.ts';

export function hasFormat({ result = 'records' }: CommandRow, format: ClientFormat): boolean {
  const formats: readonly ClientFormat[] = formatsOfResult[result];
  return formats.includes(format);
}

/** The problem in the output of a step that succeeded; undefined if there is none. */
export function wrongWith(step: Step, format: ClientFormat, { stdout }: Outcome): string | undefined {
  if (/undefined|\[object |NaN/.test(stdout)) return 'it shows an invalid value';
  switch (format) {
    case 'text':
      return new RegExp(step.says ?? '', 'm').test(stdout) ? undefined : `no line matches ${step.says}`;
    case 'json':
    case 'json-slim':
      return wrongDocument(JSON.parse(stdout), format);
    case 'yaml':
    case 'yaml-slim':
      return wrongDocument(load(stdout), format);
    case 'names':
      return /^(?:\S+\n)*$/.test(stdout) ? undefined : 'a line is not one name';
    case 'tf':
      // A kind that Terraform cannot declare has no resource there.
      return !isCreatableKind(step.noun) || stdout === '' || /^resource "gantry_/m.test(stdout)
        ? undefined
        : 'no resource';
    case 'crd':
      return loadAll(stdout).every((each) => isObject(each) && typeof each['kind'] === 'string')
        ? undefined
        : 'a document without a kind';
  }
}

const ofPlatform = ['id', 'version', 'created', 'lastModified', 'links', 'status', 'alias', 'origin', 'digest'];

function wrongDocument(document: unknown, format: ClientFormat): string | undefined {
  if (!isObject(document)) return 'the document is no object';
  if (Object.hasOwn(document, 'error')) return 'the document has an error';
  if (!format.endsWith('-slim')) return undefined;
  const items = document['items'];
  const records = [document, ...(Array.isArray(items) ? items.filter(isObject) : [])];
  const kept = ofPlatform.find((member) => records.some((record) => Object.hasOwn(record, member)));
  return kept === undefined ? undefined : `it has ${kept}, which the platform sets`;
}
