import type { ComponentChildren, VNode } from 'preact';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { minuteOf } from '../../../src/plan/model/cause.ts';
import type { PageChange, PagePlan } from '../../../src/report/pageData.ts';
import { Code, Place, ResourceName } from '../parts/badges.tsx';
import { Fields } from '../parts/fields.tsx';
import { JsonBody } from '../parts/jsonBody.tsx';
import { Notes } from '../parts/notes.tsx';
import { ProofView } from '../parts/proof.tsx';
import { RefusalText } from '../parts/refusals.tsx';
import { counted, Text } from '../parts/text.tsx';

export interface ChangeContext {
  readonly plan: PagePlan;
  readonly printing: boolean;
  readonly onOpen: (id: string) => void;
  /** Absent where there is no picture. */
  readonly onShow: ((id: string) => void) | undefined;
  /** Which changes wait for this one. */
  readonly waitersOf: (id: string) => readonly string[];
}

interface Props {
  readonly change: PageChange;
  readonly context: ChangeContext;
}

/** All that is known of one change. */
export function ChangeBody({ change, context }: Props): VNode {
  const { cause, place, reason, renamedFrom, liveVersion, refusals, notes, fields, via } = change;
  const { printing, onShow, onOpen } = context;
  return (
    <div class="body">
      {refusals.map((refusal, index) => (
        <div class="callout bad" key={index}>
          <RefusalText refusal={refusal} />
        </div>
      ))}
      <Run change={change} plan={context.plan} />
      <dl class="facts">
        {reason !== '' && (
          <Fact word="Why">
            <Text of={reason} />
          </Fact>
        )}
        {cause?.others !== undefined && cause.others.length > 0 && (
          <Fact word="Who wrote since">
            <ul>
              {cause.others.map(({ name, type, version, at }) => (
                <li key={version}>
                  <Text of={`${name} (${type}), version ${version}, ${minuteOf(at)}`} />
                </li>
              ))}
            </ul>
          </Fact>
        )}
        {renamedFrom !== undefined && (
          <Fact word="Had the name">
            <Names ids={[renamedFrom]} onOpen={onOpen} />
          </Fact>
        )}
        {via !== undefined && (
          <Fact word="Deleted with">
            <Names ids={[via]} onOpen={onOpen} />
          </Fact>
        )}
        {liveVersion !== undefined && <Fact word="Live version">{liveVersion}</Fact>}
        {place !== undefined && (
          <Fact word="Declared at">
            <Place at={place} />
          </Fact>
        )}
        {change.takes !== undefined && change.takes.length > 0 && (
          <Fact word="Takes from all in it">
            <Text of={change.takes.map(({ what, name }) => `${what} ${name}`).join(', ')} />
          </Fact>
        )}
        <Waits change={change} onOpen={onOpen} />
        <NamesFact word="Waited for by" ids={context.waitersOf(change.id)} onOpen={onOpen} />
        <NamesFact word="Takes along" ids={change.cascadesTo} onOpen={onOpen} />
        <NamesFact word="Loses data" ids={change.losesData ?? []} onOpen={onOpen} />
        <NamesFact word="Hits" ids={change.victims ?? []} onOpen={onOpen} />
      </dl>
      {fields.length > 0 && (
        <Part title={counted(fields.length, 'field')}>
          <Fields fields={fields} printing={printing} />
        </Part>
      )}
      <Requests change={change} context={context} />
      <Notes of={notes} />
      {onShow !== undefined && (
        <p class="no-print">
          <button type="button" class="quiet" onClick={() => onShow(change.id)}>
            Show in the picture
          </button>
        </p>
      )}
    </div>
  );
}

function Fact({ word, children }: { readonly word: string; readonly children: ComponentChildren }): VNode {
  return (
    <div>
      <dt>{word}</dt>
      <dd>{children}</dd>
    </div>
  );
}

interface NamesProps {
  readonly ids: readonly string[];
  readonly onOpen: (id: string) => void;
}

/** At most so many names in a row: a GVC may take thousands along. */
const mostNames = 100;

function Names({ ids, onOpen }: NamesProps): VNode {
  return (
    <ul class="names">
      {ids.slice(0, mostNames).map((id) => (
        <li key={id}>
          <button type="button" class="link" onClick={() => onOpen(id)}>
            <ResourceName id={id} />
          </button>
        </li>
      ))}
      {ids.length > mostNames && <li>and {(ids.length - mostNames).toLocaleString('en')} more</li>}
    </ul>
  );
}

function NamesFact({ word, ids, onOpen }: NamesProps & { readonly word: string }): VNode | null {
  if (ids.length === 0) return null;
  return (
    <Fact word={word}>
      <Names ids={ids} onOpen={onOpen} />
    </Fact>
  );
}

function Waits({
  change: { waitsFor = [] },
  onOpen,
}: {
  readonly change: PageChange;
  readonly onOpen: (id: string) => void;
}): VNode | null {
  if (waitsFor.length === 0) return null;
  return (
    <Fact word="Waits for">
      <ul class="names">
        {waitsFor.slice(0, mostNames).map(({ on, because, soft, step }) => (
          <li key={`${on} ${because} ${step}`}>
            <button type="button" class="link" onClick={() => onOpen(on)}>
              <ResourceName id={on} />
            </button>{' '}
            <span class="because">
              <Text of={because} />
              {soft && ' (goes on where that fails)'}
            </span>
          </li>
        ))}
      </ul>
    </Fact>
  );
}

/** The bodies that are sent, and what they are proven to do. */
function Requests({ change, context: { plan, printing } }: Props): VNode {
  const { create, patch, then, id } = change;
  const proof = plan.proofs[id];
  return (
    <>
      {create !== undefined && <Body title="Body of the POST" body={create} printing={printing} />}
      {patch !== undefined && <Body title="Body of the PATCH" body={patch} printing={printing} />}
      {then !== undefined && <Body title="Body of the PATCH after it" body={then} printing={printing} />}
      {proof !== undefined && <ProofView proof={proof} />}
    </>
  );
}

function Body({
  title,
  body,
  printing,
}: {
  readonly title: string;
  readonly body: JsonObject;
  readonly printing: boolean;
}): VNode {
  return (
    <Part title={title}>
      <JsonBody body={body} printing={printing} />
    </Part>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: ComponentChildren }): VNode {
  return (
    <div class="part">
      <h4>{title}</h4>
      {children}
    </div>
  );
}

/** What became of it, after an apply. */
function Run({
  change: { id },
  plan: { document },
}: {
  readonly change: PageChange;
  readonly plan: PagePlan;
}): VNode | null {
  const failed = document.result?.failed.find((each) => each.id === id);
  if (failed !== undefined) {
    return (
      <div class="callout bad">
        <p>
          <strong>Failed.</strong> <Code of={failed.code} /> <Text of={failed.message} />
        </p>
        {failed.hint !== undefined && (
          <p class="hint">
            <Text of={failed.hint} />
          </p>
        )}
      </div>
    );
  }
  const skipped = document.result?.skipped.find((each) => each.id === id);
  if (skipped === undefined) return null;
  return (
    <div class="callout warn">
      <p>
        <strong>Skipped.</strong> <Text of={skipped.because} />
      </p>
    </div>
  );
}
