import { eachConfiguration } from '../../../hcl/configuration/configuration.ts';
import { nativeSyntax } from '../../../hcl/nativeSyntax.ts';
import { refTo } from '../../../schema/record/ref.ts';
import { redacted } from '../../audit/decisions/redacted.ts';
import type { Exported } from './exported.ts';

/**
 * Records as configuration of Gantry's provider (output `tf`, platform/clients.output), one at a time: the function
 * remembers the labels. What can be created is a resource with its import block, the rest a data source. What the platform
 * owns is omitted, and so is what is sensitive: left out, it stays as it is.
 */
export function terraformOf(org: string): (record: Exported) => string {
  const blocksOf = eachConfiguration({ org, imports: true, hideSensitive: true });
  return ({ kind, name, gvc, record }) => {
    const live = redacted(kind, record);
    return nativeSyntax(blocksOf({ ref: refTo(kind, name, gvc), record: live, live }));
  };
}
