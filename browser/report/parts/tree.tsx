import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Grown, GrownSection, Line, Problem } from '../../../src/report/tree/tree.ts';
import { Code, ResourceLink, ResourceName, toneClass } from './badges.tsx';
import { Difference, Fields, shown } from './fields.tsx';
import { LongText, seen, Text } from './text.tsx';

/** A document on a page: the summary first, important items open, the rest closed. */
export function SectionView({
  section,
  titled,
  printing,
}: {
  readonly section: GrownSection;
  readonly titled: boolean;
  readonly printing: boolean;
}): VNode {
  const { title, summary, children } = section;
  const [all, setAll] = useState<Openness>();
  return (
    <section class="tree">
      {titled && (
        <h2>
          <LineView of={title} />
        </h2>
      )}
      <p class="hint">
        <LineView of={summary} />
      </p>
      {children.some(({ node }) => node === 'item') && <OpenAll onAll={setAll} />}
      <div class="changes">
        <Nodes of={children} printing={printing} all={all} />
      </div>
    </section>
  );
}

interface NodesProps {
  readonly of: readonly Grown[];
  readonly printing: boolean;
  /** The last choice for all items. */
  readonly all?: Openness | undefined;
  /** Opens a resource by name; absent if names are not links. */
  readonly onOpen?: ((id: string) => void) | undefined;
}

export function Nodes({ of: nodes, ...how }: NodesProps): VNode {
  return (
    <>
      {nodes.map((node, index) => (
        <NodeView key={index} node={node} {...how} />
      ))}
    </>
  );
}

function NodeView({ node, printing, all, onOpen }: Omit<NodesProps, 'of'> & { readonly node: Grown }): VNode {
  switch (node.node) {
    case 'line':
      return (
        <p class={node.tone === 'faint' ? 'hint' : ''}>
          <LineView of={node.line} />
        </p>
      );
    case 'fields':
      return <Fields fields={node.fields} printing={printing} />;
    case 'values':
      return (
        <>
          <Difference before={node.old} after={node.new} printing={printing} />
          {node.rows.map(
            ({ word, line }) =>
              line.length > 0 && (
                <p class="hint" key={word}>
                  {word} <LineView of={line} />
                </p>
              ),
          )}
        </>
      );
    case 'pairs':
      return (
        <dl class="facts">
          {node.rows.map(({ id, text }) => (
            <div key={id}>
              <dt>
                <ResourceName id={id} />
              </dt>
              <dd>
                <Text of={text} />
              </dd>
            </div>
          ))}
        </dl>
      );
    case 'names':
      return <NamesView of={node} onOpen={onOpen} />;
    case 'problem':
      return (
        <div class={node.word === 'skipped' ? 'callout warn' : 'callout bad'}>
          <ProblemView of={node} />
        </div>
      );
    case 'body':
      return (
        <div class="part">
          <h4>{node.title}</h4>
          <pre class="json">
            <code>
              <LongText of={JSON.stringify(node.body, null, 2)} printing={printing} />
            </code>
          </pre>
        </div>
      );
    case 'group':
      return (
        <div class="part">
          <p>
            <LineView of={node.title} />
          </p>
          <Nodes of={node.children} printing={printing} onOpen={onOpen} />
        </div>
      );
    case 'item':
      return <ItemView item={node} printing={printing} all={all} />;
  }
}

function ItemView({
  item: { id, sign, tone, aside, words, as, weight, children },
  printing,
  all,
}: {
  readonly item: Extract<Grown, { node: 'item' }>;
  readonly printing: boolean;
  readonly all: Openness | undefined;
}): VNode {
  const [open, setOpen] = useState(weight > 0);
  useEffect(() => {
    if (all !== undefined) setOpen(all.open);
  }, [all]);
  return (
    <article class={`change ${toneClass[tone]}`} aria-label={seen(`${as} ${id}`)}>
      <details open={open || printing} onToggle={(event) => !printing && setOpen(event.currentTarget.open)}>
        <summary>
          <span class="action">
            <span class="symbol" aria-hidden="true">
              {sign}
            </span>
            {as}
          </span>
          <h3>
            <ResourceName id={id} />
          </h3>
          <span class="reason">
            <LineView of={words} />
          </span>
        </summary>
        <div class="body">
          <p class="hint">
            <LineView of={aside} />
          </p>
          <Nodes of={children} printing={printing} />
        </div>
      </details>
    </article>
  );
}

/** The maximum number of names in a row: a GVC may delete thousands of records. */
const mostNames = 100;

function NamesView({
  of: { word, names, after },
  onOpen,
}: {
  readonly of: Extract<Grown, { node: 'names' }>;
  readonly onOpen: ((id: string) => void) | undefined;
}): VNode {
  return (
    <dl class="facts">
      <div>
        <dt>
          {word}
          {after}
        </dt>
        <dd>
          <ul class="names">
            {names.slice(0, mostNames).map(({ id, because }) => (
              <li key={id}>
                <ResourceLink {...{ id, onOpen }} />
                {because !== undefined && (
                  <span class="because">
                    {' '}
                    <Text of={because} />
                  </span>
                )}
              </li>
            ))}
            {names.length > mostNames && <li>and {(names.length - mostNames).toLocaleString('en')} more</li>}
          </ul>
        </dd>
      </div>
    </dl>
  );
}

/** Why something is refused, or was not done. */
export function ProblemView({ of: { word, code, message, hint } }: { readonly of: Problem }): VNode {
  return (
    <>
      <p>
        {word !== 'refused' && <strong>{word} </strong>}
        <Code of={code} /> <Text of={message} />
      </p>
      {hint !== undefined && (
        <p class="hint">
          <Text of={hint} />
        </p>
      )}
    </>
  );
}

/** Separates foreign text from ours, for any text direction. */
export function LineView({ of: line }: { readonly of: Line }): VNode {
  return (
    <>
      {line.map((piece) => {
        if (typeof piece === 'string') return piece;
        if ('value' in piece) return <code>{<Text of={shown(piece.value) ?? ''} />}</code>;
        const text = 'name' in piece ? <Text of={piece.name} /> : piece.text;
        return piece.tone === 'strong' ? <strong>{text}</strong> : text;
      })}
    </>
  );
}

/** Requests that all details of a list are opened, or closed; a new object each time. */
export interface Openness {
  readonly open: boolean;
}

export function OpenAll({ onAll }: { readonly onAll: (all: Openness) => void }): VNode {
  return (
    <p class="tools no-print">
      <button type="button" class="quiet" onClick={() => onAll({ open: true })}>
        Expand all
      </button>
      <button type="button" class="quiet" onClick={() => onAll({ open: false })}>
        Collapse all
      </button>
    </p>
  );
}
