import { hclParser } from '../../../src/gantry/terraform/migrateFolder.ts';
import type { Parse } from '../../../src/hcl/migration/syntax.ts';

/** The parser, or why its tests are skipped. With `CI=true` it is required. */
export async function parserOrReason(): Promise<Parse | string> {
  try {
    return await hclParser(import.meta.dirname);
  } catch (error) {
    if (process.env['CI'] === 'true') throw error;
    return `web-tree-sitter is not installed (npm ci): ${String(error)}`;
  }
}
