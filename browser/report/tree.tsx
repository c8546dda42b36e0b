import type { VNode } from 'preact';
import type { Grown, GrownSection, Line } from '../../src/report/tree/tree.ts';
import { ResourceName, toneClass } from './parts/badges.tsx';
import { Fields } from './parts/fields.tsx';
import { seen, Text } from './parts/text.tsx';

/** A document as a page has it: what it comes to first, what needs a look open, the rest closed. */
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
      <div class="changes">
        <Nodes of={children} printing={printing} />
      </div>
    </section>
  );
}

export function Nodes({ of: nodes, printing }: { readonly of: readonly Grown[]; readonly printing: boolean }): VNode {
  return (
    <>
      {nodes.map((node, index) => (
        <NodeView key={index} node={node} printing={printing} />
      ))}
    </>
  );
}

function NodeView({ node, printing }: { readonly node: Grown; readonly printing: boolean }): VNode {
  switch (node.node) {
    case 'line':
      return (
        <p class={node.tone === 'faint' ? 'hint' : ''}>
          <LineView of={node.line} />
        </p>
      );
    case 'fields':
      return <Fields fields={node.fields} printing={printing} />;
    case 'group':
      return (
        <div class="part">
          <p>
            <LineView of={node.title} />
          </p>
          <Nodes of={node.children} printing={printing} />
        </div>
      );
    case 'item':
      return <ItemView item={node} printing={printing} />;
  }
}

function ItemView({
  item: { id, sign, tone, aside, words, as, weight, children },
  printing,
}: {
  readonly item: Extract<Grown, { node: 'item' }>;
  readonly printing: boolean;
}): VNode {
  return (
    <article class={`change ${toneClass[tone]}`} aria-label={seen(`${as} ${id}`)}>
      <details open={weight > 0 || printing}>
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

/** Text from elsewhere apart from ours, whatever its direction. */
export function LineView({ of: line }: { readonly of: Line }): VNode {
  return (
    <>
      {line.map((piece) => {
        if (typeof piece === 'string') return piece;
        const text = 'name' in piece ? <Text of={piece.name} /> : piece.text;
        return piece.tone === 'strong' ? <strong>{text}</strong> : text;
      })}
    </>
  );
}
