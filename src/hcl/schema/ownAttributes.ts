import { becomesReady, hiddenField, kindsDeletedInUse, storesData } from '../../kinds/kindFacts.ts';
import { isContainer, isGvcScoped, isOfWorkload, isOrg, type KnownKind } from '../../schema/record/kinds.ts';
import type { Attributes } from '../attribute.ts';
import { isObjectValue, type ObjectValue } from '../value.ts';

/** The names of a resource's attributes that are not fields of its record. */
export const ownNames = {
  link: 'link',
  gvc: 'gvc',
  protected: 'protected',
  allowDataLoss: 'allow_data_loss',
  allowCollateral: 'allow_collateral',
  allowDangling: 'allow_dangling',
  waitForReady: 'wait_for_ready',
  timeouts: 'timeouts',
  tagsAll: 'tags_all',
} as const;

/** The name of a secret's write-only value, which is never stored, and of the attribute that signals its change. */
export const writeOnly = { data: 'data_wo', version: 'data_wo_version' } as const;

/** A resource's instructions to the provider; only `protected` is sent. */
export function instructions(kind: KnownKind): Attributes {
  return {
    [ownNames.protected]: {
      type: 'bool',
      optional: true,
      computed: true,
      description:
        'Refuses deletion, by any client, until `false` has been applied. Left out, it stays as it is; `false` for a ' +
        'new resource.',
    },
    ...(losesData(kind)
      ? {
          [ownNames.allowDataLoss]: {
            type: 'bool',
            optional: true,
            description:
              'Allows to delete or replace it although data is lost with it. Apply it before the resource is removed ' +
              'from the configuration.',
          },
        }
      : {}),
    ...(isContainer(kind)
      ? {
          [ownNames.allowCollateral]: {
            type: 'number',
            optional: true,
            description:
              'Allows its deletion although exactly this many resources in it do not belong to this configuration. ' +
              'Apply it before the resource is removed.',
          },
        }
      : {}),
    ...(kindsDeletedInUse.some((each) => each === kind)
      ? {
          [ownNames.allowDangling]: {
            type: 'number',
            optional: true,
            description:
              'Allows its deletion although exactly this many resources that do not belong to this configuration need it ' +
              'in order to run. Apply it before the resource is removed.',
          },
        }
      : {}),
    ...(becomesReady(kind)
      ? {
          [ownNames.waitForReady]: {
            type: 'bool',
            optional: true,
            description: 'Waits until it is ready, as the platform reports it, before what depends on it goes on.',
          },
        }
      : {}),
    ...(isOrg(kind) ? {} : timeoutAttributes(kind)),
  };
}

/** The timeout for the resource. */
function timeoutAttributes(kind: KnownKind): Attributes {
  return {
    [ownNames.timeouts]: {
      nesting: 'single',
      isBlock: true,
      optional: true,
      description: 'How long is waited for it. A request that fails is repeated for a minute or two, whatever it says.',
      attributes: {
        ...(becomesReady(kind)
          ? {
              create: duration('How long `wait_for_ready` waits after its creation, five minutes by default'),
              update: duration('How long `wait_for_ready` waits after an update, five minutes by default'),
            }
          : {}),
        delete: duration('How long its deletion may take, ten minutes by default'),
      },
    },
  };
}

function duration(what: string) {
  return { type: 'string', optional: true, description: `${what}: \`30s\`, \`5m\`, \`1h30m\`.` } as const;
}

/** Whether deleting a record of the kind loses data, in it or in its content. */
export function losesData(kind: KnownKind): boolean {
  return storesData(kind) || isContainer(kind);
}

/** Whether the kind has a value that can be written without being stored. */
export function hasWriteOnly(kind: KnownKind): boolean {
  return hiddenField(kind) !== undefined;
}

export const linkAttribute: Attributes = {
  [ownNames.link]: {
    type: 'string',
    computed: true,
    description: 'The address on the platform, by which other resources refer to it: `/org/ORG/KIND/NAME`.',
  },
};

export const allTagsAttribute: Attributes = {
  [ownNames.tagsAll]: {
    type: ['map', 'string'],
    computed: true,
    description:
      'All tags that it gets: `tags`, and `default_tags` of the provider block where `tags` has another key.',
  },
};

/** The GVC of GVC-scoped kinds. */
export function gvcAttribute(kind: KnownKind): Attributes {
  if (!isGvcScoped(kind) && !isOfWorkload(kind)) return {};
  return {
    [ownNames.gvc]: {
      type: 'string',
      optional: true,
      computed: true,
      description:
        'The GVC that it is in; that of the provider block, when omitted. Another one replaces the resource.',
    },
  };
}

/** A state in the form of its record: `tags` has all tags of the resource. */
export function withAllTags({ [ownNames.tagsAll]: all, ...state }: ObjectValue): ObjectValue {
  return isObjectValue(all) && Object.keys(all).length > 0 ? { ...state, tags: all } : state;
}
