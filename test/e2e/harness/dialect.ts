import { resolve } from 'node:path';
import { loadDialect } from '../../../src/project/platform/dialectFile.ts';

const path = process.env['GANTRY_TEST_DIALECT'];

/** The file of the dialect that this run of the suite speaks; undefined: the neutral words. */
export const dialectFile = path === undefined || path === '' ? undefined : resolve(path);

export const dialect = await loadDialect(dialectFile);

/** What a command is told of it. */
export const dialectSetting: Readonly<Record<string, string>> =
  dialectFile === undefined ? {} : { GANTRY_DIALECT: dialectFile };
