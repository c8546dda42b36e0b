import { resolve } from 'node:path';
import { loadDialect } from '../../../src/project/platform/dialectFile.ts';

const path = process.env['GANTRY_TEST_DIALECT'];

/** The file of the dialect for this run of the suite; undefined for the neutral words. */
export const dialectFile = path === undefined || path === '' ? undefined : resolve(path);

export const dialect = await loadDialect(dialectFile);

/** The environment variable that selects the dialect in a command. */
export const dialectSetting: Readonly<Record<string, string>> =
  dialectFile === undefined ? {} : { GANTRY_DIALECT: dialectFile };
