import type { Block } from '../hcl/block.ts';
import { jsonSyntax } from '../hcl/jsonSyntax.ts';
import { nativeSyntax } from '../hcl/nativeSyntax.ts';

/** The content of one file. */
export function configurationText(blocks: readonly Block[], format: 'hcl' | 'json'): string {
  return format === 'json' ? `${JSON.stringify(jsonSyntax(blocks), null, 2)}\n` : nativeSyntax(blocks);
}
