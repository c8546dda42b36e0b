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

/** A CLI configuration that runs the executable in `folder`, without `terraform init` and without checksums. */
export function developmentConfiguration(folder: string, source = providerSource): string {
  return nativeSyntax([
    {
      type: 'provider_installation',
      blocks: [{ type: 'dev_overrides', attributes: [[`"${source}"`, folder]] }, { type: 'direct' }],
    },
  ]);
}

/** This provider's value in `required_providers`. `version`: of this Gantry; later patch versions are accepted. */
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
