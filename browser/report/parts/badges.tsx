import type { VNode } from 'preact';
import { actionWords, riskWords, type Tone } from '../../../src/change/words.ts';
import type { Action } from '../../../src/plan/model/change.ts';
import type { Risk } from '../../../src/schema/facts/risk.ts';
import { Text } from './text.tsx';

/** The class of each tone in the style sheet. */
export const toneClass: Readonly<Record<Tone, string>> = {
  add: 'good',
  change: 'warn',
  replace: 'level2',
  remove: 'bad',
  refuse: 'bad',
  faint: 'plain',
};

/** The action, as a symbol and a word. */
export function ActionBadge({
  action,
  intended,
}: {
  readonly action: Action;
  readonly intended?: Action | undefined;
}): VNode {
  const { sign, verb } = actionWords[action];
  return (
    <span class={`action ${action}`}>
      <span class="symbol" aria-hidden="true">
        {sign}
      </span>
      {verb}
      {intended !== undefined && <span class="intended"> {actionWords[intended].verb}</span>}
    </span>
  );
}

/** The id of a rule, of a refusal or an error. */
export function Code({ of: text }: { readonly of: string }): VNode {
  return (
    <code class="code">
      <Text of={text} />
    </code>
  );
}

/** A risk as a word, with more marks for a higher risk. */
export function RiskBadge({ risk }: { readonly risk: Risk | undefined }): VNode | null {
  if (risk === undefined || risk === 'none') return null;
  const { level } = riskWords[risk];
  return (
    <span class={`risk level${level}`}>
      {level > 1 && (
        <span class="symbol" aria-hidden="true">
          {'▲'.repeat(level - 1)}
        </span>
      )}
      {risk}
    </span>
  );
}

/** Such as `workload/shop/web`, with the name emphasised. */
export function ResourceName({ id }: { readonly id: string }): VNode {
  const at = id.lastIndexOf('/');
  return (
    <span class="id">
      <span class="path">
        <Text of={id.slice(0, at + 1)} />
      </span>
      <strong>
        <Text of={id.slice(at + 1)} />
      </strong>
    </span>
  );
}

/** The same, which opens its change; plain if names are not links. */
export function ResourceLink({
  id,
  onOpen,
}: {
  readonly id: string;
  readonly onOpen: ((id: string) => void) | undefined;
}) {
  if (onOpen === undefined) return <ResourceName id={id} />;
  return (
    <button type="button" class="link" onClick={() => onOpen(id)}>
      <ResourceName id={id} />
    </button>
  );
}

/** A place in a file, such as `stack.yaml:12:3`. */
export function Place({
  at,
}: {
  readonly at: { readonly file: string; readonly line?: number | undefined; readonly column?: number | undefined };
}): VNode {
  return (
    <code class="place">
      <Text of={[at.file, at.line, at.column].filter((part) => part !== undefined).join(':')} />
    </code>
  );
}
