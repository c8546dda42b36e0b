import { type MessageName, messages } from './messages.ts';

/** A message as the codec goes through it. */
export interface Layout {
  readonly fields: readonly Field[];
  readonly byNumber: ReadonlyMap<number, Field>;
}

export interface Field {
  readonly name: string;
  readonly number: number;
  readonly type: Scalar | (() => Layout);
  /** `optional`: written even where it is the default. */
  readonly form: 'plain' | 'optional' | 'repeated' | 'map';
}

const scalars = ['bytes', 'string', 'bool', 'int32'] as const;
export type Scalar = (typeof scalars)[number];

const layouts = new Map<MessageName, Layout>();

export function layoutOf(name: MessageName): Layout {
  const known = layouts.get(name);
  if (known !== undefined) return known;
  const fields = Object.entries<string>(messages[name]).map(([field, declared]) => fieldOf(field, declared));
  const layout: Layout = { fields, byNumber: new Map(fields.map((field) => [field.number, field])) };
  layouts.set(name, layout);
  return layout;
}

function fieldOf(name: string, declared: string): Field {
  const words = declared.split(' ');
  const [type = '', number = ''] = words.slice(-2);
  const scalar = scalars.find((each) => each === type);
  const [form = ''] = words.length === 3 ? words : [];
  return {
    name,
    number: Number(number),
    type: scalar ?? lazily(type),
    form: form === 'optional' || form === 'repeated' || form === 'map' ? form : 'plain',
  };
}

/** A type of an attribute may have attributes. */
function lazily(type: string): () => Layout {
  let layout: Layout | undefined;
  return () => {
    if (layout === undefined && isMessageName(type)) layout = layoutOf(type);
    if (layout === undefined) throw new TypeError(`${type} is no message`);
    return layout;
  };
}

function isMessageName(name: string): name is MessageName {
  return Object.hasOwn(messages, name);
}
