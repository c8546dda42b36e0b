/**
 * The resources and attributes that another provider has and this one lacks: `npm run compare-schemas -- SCHEMA.json
 * NAMES.yaml`, with the output of `terraform providers schema -json` in a folder that uses the other provider, and its
 * table of names (docs/terraform.md).
 */
import { readFileSync } from 'node:fs';
import { isObject } from '../src/base/json/json.ts';
import { namesIn } from '../src/gantry/terraform/migrateFolder.ts';
import { compareSchemas, comparisonTable } from './terraformSchemas.ts';

const [schema, names] = process.argv.slice(2);
if (schema === undefined || names === undefined) {
  process.stderr.write('npm run compare-schemas -- SCHEMA.json NAMES.yaml\n');
  process.exit(64);
}
const printed: unknown = JSON.parse(readFileSync(schema, 'utf8'));
if (!isObject(printed)) throw new Error(`${schema} is not the output of terraform providers schema -json`);
process.stdout.write(comparisonTable(compareSchemas(printed, await namesIn({ file: names }))));
