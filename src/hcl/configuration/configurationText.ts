import type { Block } from '../block.ts';
import { jsonSyntax } from '../jsonSyntax.ts';
import { nativeSyntax } from '../nativeSyntax.ts';

/** The content of one file. */
export function configurationText(blocks: readonly Block[], format: 'hcl' | 'json'): string {
  return format === 'json' ? `${JSON.stringify(jsonSyntax(blocks), null, 2)}\n` : nativeSyntax(blocks);
}
