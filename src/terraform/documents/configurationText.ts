import type { Block } from '../hcl/block.ts';
import { jsonSyntax } from '../hcl/jsonSyntax.ts';
import { nativeSyntax } from '../hcl/nativeSyntax.ts';
import { requirements } from './requirements.ts';

/** The content of one file, with what it requires at its top. */
export function configurationText(blocks: readonly Block[], format: 'hcl' | 'json', version: string): string {
  const all = [requirements(version), ...blocks];
  return format === 'json' ? `${JSON.stringify(jsonSyntax(all), null, 2)}\n` : nativeSyntax(all);
}
