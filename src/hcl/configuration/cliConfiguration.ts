import { nativeSyntax } from '../configurationText.ts';
import type { Block } from '../expression.ts';
import { providerSource, providerType } from '../provider.ts';

/** A CLI configuration (`~/.terraformrc`, `TF_CLI_CONFIG_FILE`) that takes the provider from a mirror in `folder`. */
export function mirrorConfiguration(folder: string): string {
  return nativeSyntax([
    {
      type: 'provider_installation',
      blocks: [
        {
          type: 'filesystem_mirror',
          attributes: [
            ['path', folder],
            ['include', [providerSource]],
          ],
        },
        { type: 'direct', attributes: [['exclude', [providerSource]]] },
      ],
    },
  ]);
}

/** One that runs the executable in `folder` itself, without `terraform init` and without checksums. */
export function developmentConfiguration(folder: string, source = providerSource): string {
  return nativeSyntax([
    {
      type: 'provider_installation',
      blocks: [{ type: 'dev_overrides', attributes: [[`"${source}"`, folder]] }, { type: 'direct' }],
    },
  ]);
}

/** The value for this provider in `required_providers`. `version`: of this Gantry; its patches are taken too. */
export function requirement(version: string) {
  return { source: providerSource, version: `~> ${version}` };
}

/** `terraform { required_providers { … } }`. */
export function requirements(version: string): Block {
  return {
    type: 'terraform',
    blocks: [{ type: 'required_providers', attributes: [[providerType, requirement(version)]] }],
  };
}
