import type { ComponentChildren, VNode } from 'preact';
import { signatureWords } from '../../src/change/documents/signatureWords.ts';
import { actionOrder, actionWords, riskWords } from '../../src/change/words.ts';
import type { PagePlan } from '../../src/report/pageData.ts';
import { risks } from '../../src/schema/facts/risk.ts';
import { ResourceLink, RiskBadge } from './parts/badges.tsx';
import { counted, Text } from './parts/text.tsx';
import { Nodes } from './parts/tree.tsx';
import { isConcerned } from './storage.tsx';

interface Props {
  readonly plan: PagePlan;
  readonly onOpen: (id: string) => void;
}

/** The number of risky changes that are named. */
const mostNamed = 5;

/** The essentials of the plan: the worst risk and its place, the number of changes, the effort. */
export function Summary({ plan: { document, changes, rehearsal }, onOpen }: Props): VNode {
  const { risk, summary, requests, storage, notes, leftOut, signatures } = document;
  const worst = risk === 'none' ? [] : changes.filter((change) => change.risk === risk);
  return (
    <section aria-labelledby="summary-title">
      <h2 id="summary-title" class="unseen-label">
        Summary
      </h2>
      <div class="cards">
        <Card word="Worst risk" tone={`level${riskWords[risk].level}`}>
          <p class="big">{risk === 'none' ? 'none' : <RiskBadge risk={risk} />}</p>
          <p>{riskWords[risk].means}</p>
          {worst.length > 0 && (
            <ul class="names">
              {worst.slice(0, mostNamed).map(({ id }) => (
                <li key={id}>
                  <ResourceLink {...{ id, onOpen }} />
                </li>
              ))}
              {worst.length > mostNamed && <li>and {(worst.length - mostNamed).toLocaleString('en')} more</li>}
            </ul>
          )}
        </Card>
        <Card word="Changes">
          <ul class="counts">
            {actionOrder.map(
              (action) =>
                summary[action] > 0 && (
                  <li key={action} class={action}>
                    <span class="symbol" aria-hidden="true">
                      {actionWords[action].sign}
                    </span>
                    <strong>{summary[action].toLocaleString('en')}</strong> {actionWords[action].todo}
                  </li>
                ),
            )}
          </ul>
          {changes.length === 0 && <p>none</p>}
        </Card>
        <Card word="Risks">
          <RiskCounts changes={changes} />
        </Card>
        <Card word="Requests">
          <p class="big">{requests.apply.toLocaleString('en')}</p>
          <p>to apply, after {requests.snapshot.toLocaleString('en')} to read</p>
          {isConcerned(storage) && (
            <p>
              Storage: {storage.before.gb.toLocaleString('en')} → {storage.after.gb.toLocaleString('en')} GB
            </p>
          )}
        </Card>
        {rehearsal !== undefined && (
          <Card word="Rehearsal" tone={rehearsal.isConsistent ? 'level0' : 'level3'}>
            <p class="big">{rehearsal.isConsistent ? '✓ consistent' : '✕ a problem'}</p>
            <Nodes of={[rehearsal.told]} printing />
          </Card>
        )}
        {signatures !== undefined && (
          <Card word="Signatures" tone={signatures.every(({ state }) => state === 'valid') ? 'level0' : 'level2'}>
            <ul class="names">
              {signatures.map(({ role, key, name = key, state, signedAt }) => (
                <li key={`${role} ${key} ${signedAt}`}>
                  {role} by <Text of={name} />: {signatureWords[state]}
                </li>
              ))}
            </ul>
          </Card>
        )}
      </div>
      <Notes of={notes} />
      {leftOut !== undefined && (
        <p class="hint">
          A part of the stack: {counted(leftOut.length, 'change')} {leftOut.length === 1 ? 'is' : 'are'} left for later.
        </p>
      )}
    </section>
  );
}

interface CardProps {
  readonly word: string;
  readonly tone?: string;
  readonly children: ComponentChildren;
}

function Card({ word, tone = '', children }: CardProps): VNode {
  return (
    <div class={`card ${tone}`}>
      <h3>{word}</h3>
      {children}
    </div>
  );
}

/** The number of changes for each risk, the worst first. */
function RiskCounts({ changes }: Pick<PagePlan, 'changes'>): VNode {
  const counts = Map.groupBy(
    changes.filter(({ action }) => action !== 'keep'),
    ({ risk = 'none' }) => risk,
  );
  const most = Math.max(1, ...[...counts.values()].map(({ length }) => length));
  if (counts.size === 0) return <p>nothing changes</p>;
  return (
    <ul class="risk-counts">
      {risks.toReversed().flatMap((risk) => {
        const length = counts.get(risk)?.length ?? 0;
        if (length === 0) return [];
        return [
          <li key={risk}>
            <span class="risk-word">{risk}</span>
            <span class="track" aria-hidden="true">
              <span class={`fill level${riskWords[risk].level}`} style={{ width: `${(100 * length) / most}%` }} />
            </span>
            <span>{length.toLocaleString('en')}</span>
          </li>,
        ];
      })}
    </ul>
  );
}

/** The notes of a plan or a change beside its facts; null if there are none. */
function Notes({ of: notes }: { readonly of: readonly string[] }): VNode | null {
  if (notes.length === 0) return null;
  return (
    <ul class="notes">
      {notes.map((note) => (
        <li key={note}>
          <Text of={note} />
        </li>
      ))}
    </ul>
  );
}
