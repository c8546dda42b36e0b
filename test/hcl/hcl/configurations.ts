import { type Block, Encoded, type Expression, Reference, Template } from '../../../src/hcl/expression.ts';

/** A configuration with every construct: its blocks, its `.tf` and its `.tf.json`. */
// biome-ignore format: one case a line
export const everything: readonly Block[] = [
  { type: 'terraform', blocks: [{ type: 'required_providers', attributes: [['gantry', { source: 'gantry.local/gantry/gantry' }]] }] },
  { type: 'import', attributes: [['to', new Reference('gantry_workload.shop_web')], ['id', 'shop/web']] },
  { type: 'import', attributes: [['to', new Reference('gantry_gvc.shop')], ['id', 'shop']] },
  {
    type: 'resource',
    labels: ['gantry_workload', 'shop_web'],
    comment: ['What people see.'],
    attributes: [
      ['name', 'web'],
      ['gvc', new Reference('gantry_gvc.shop.name')],
      ['description', `it's "$\{x}"\n`],
      ['replicas', 3],
      ['nothing', null],
      [
        'tags',
        { team: 'a', 'a/b.c': true, for: 'keyword', long_name: 1, '': 'empty', inner: { x: [], y: {} }, z: 'last' },
      ],
      ['ports', [80, 443]],
      ['url', new Template(['scheme://secret/', new Reference('gantry_secret.db.name'), `.$\{key}`])],
      ['filters', new Encoded({ '@type': 'x', list: ['a', { b: '%{c}' }] })],
      ['containers', [{ name: 'main', image: 'shop:2' }, { name: 'side' }]],
      ['words', Array.from({ length: 12 }, (_, index): Expression => `word number ${index}`)],
    ],
    blocks: [{ type: 'lifecycle', attributes: [['ignore_changes', [new Reference('tags')]]] }, { type: 'timeouts' }],
  },
  { type: 'variable', labels: ['secret_db_data'], attributes: [['sensitive', true]] },
];

export const everythingText = `terraform {
  required_providers {
    gantry = {
      source = "gantry.local/gantry/gantry"
    }
  }
}

import {
  to = gantry_workload.shop_web
  id = "shop/web"
}

import {
  to = gantry_gvc.shop
  id = "shop"
}

# What people see.
resource "gantry_workload" "shop_web" {
  name        = "web"
  gvc         = gantry_gvc.shop.name
  description = "it's \\"$\${x}\\"\\n"
  replicas    = 3
  nothing     = null
  tags = {
    team      = "a"
    "a/b.c"   = true
    "for"     = "keyword"
    long_name = 1
    ""        = "empty"
    inner = {
      x = []
      y = {}
    }
    z = "last"
  }
  ports = [80, 443]
  url   = "scheme://secret/\${gantry_secret.db.name}.$\${key}"
  filters = jsonencode({
    "@type" = "x"
    list = [
      "a",
      {
        b = "%%{c}"
      },
    ]
  })
  containers = [
    {
      name  = "main"
      image = "shop:2"
    },
    {
      name = "side"
    },
  ]
  words = [
    "word number 0",
    "word number 1",
    "word number 2",
    "word number 3",
    "word number 4",
    "word number 5",
    "word number 6",
    "word number 7",
    "word number 8",
    "word number 9",
    "word number 10",
    "word number 11",
  ]

  lifecycle {
    ignore_changes = [tags]
  }

  timeouts {}
}

variable "secret_db_data" {
  sensitive = true
}
`;

export const everythingJson = {
  terraform: { required_providers: { gantry: { source: 'gantry.local/gantry/gantry' } } },
  import: [
    { to: 'gantry_workload.shop_web', id: 'shop/web' },
    { to: 'gantry_gvc.shop', id: 'shop' },
  ],
  resource: {
    gantry_workload: {
      shop_web: {
        '//': 'What people see.',
        name: 'web',
        gvc: `$\{gantry_gvc.shop.name}`,
        description: `it's "$$\{x}"\n`,
        replicas: 3,
        nothing: null,
        tags: {
          team: 'a',
          'a/b.c': true,
          for: 'keyword',
          long_name: 1,
          '': 'empty',
          inner: { x: [], y: {} },
          z: 'last',
        },
        ports: [80, 443],
        url: `scheme://secret/$\{gantry_secret.db.name}.$$\{key}`,
        filters: '{"@type":"x","list":["a",{"b":"%%{c}"}]}',
        containers: [{ name: 'main', image: 'shop:2' }, { name: 'side' }],
        words: Array.from({ length: 12 }, (_, index) => `word number ${index}`),
        lifecycle: { ignore_changes: ['tags'] },
        timeouts: {},
      },
    },
  },
  variable: { secret_db_data: { sensitive: true } },
};
