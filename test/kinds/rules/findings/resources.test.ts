import type { JsonObject } from '../../../../src/base/json/json.ts';
import { c, gpu, multi, of, options, scaled } from '../cases/workloadRecords.ts';
import { findings } from './findings.ts';

const container = (fields: JsonObject, type = 'stateful') => of(type, fields);
const custom = { gpu: { custom: { resource: 'x', quantity: 1 } } };

// biome-ignore format: a row is a case
findings('workload', {
  W20: [
    ['says why (platform/workload.capacity-ai)', scaled('standard', { metric: 'cpu' }, { capacityAI: true }),
      { 'spec.defaultOptions.capacityAI': 'Capacity AI cannot be combined with the metric cpu' }],
    ['says why with several metrics', scaled('standard', { multi }, { capacityAI: true }),
      { 'spec.defaultOptions.capacityAI': 'several metrics' }],
    ['says why with a GPU', scaled('standard', {}, { capacityAI: true }, custom),
      { 'spec.defaultOptions.capacityAI': 'GPUs' }],
    ['looks at every container',
      of('standard', {},
        { containers: [{ name: 'main' }, { name: 'side', ...custom }], defaultOptions: { capacityAI: true } }),
      { 'spec.defaultOptions.capacityAI': 'GPUs' }],
    ['takes it without any of these', options('standard', { capacityAI: true }), {}],
    ['takes the metric cpu without it', scaled('standard', { metric: 'cpu' }), {}],
  ],
  W21: [
    ['counts an omitted cpu with its default of 50m', container({ minCpu: '12m' }),
      { [`${c}.minCpu`]: 'minCpu "12m" of the container "main" is too far below cpu "50m"' }],
    ['counts an omitted memory with its default of 128Mi', container({ minMemory: '31Mi' }),
      { [`${c}.minMemory`]: 'minMemory "31Mi" of the container "main" is too far below memory "128Mi"' }],
    ['takes memory 4096Mi apart (platform/workload.resources)', container({ memory: '6Gi', minMemory: '2Gi' }), {}],
    ['refuses memory 4097Mi apart', container({ memory: '6145Mi', minMemory: '2Gi' }),
      { [`${c}.minMemory`]: 'is too far below memory "6145Mi"' }],
    ['is about stateful workloads alone',
      container({ cpu: '4', minCpu: '25m', memory: '8Gi', minMemory: '32Mi' }, 'standard'), {}],
    ['leaves what is no quantity to W24', container({ cpu: 'x', minCpu: '1', memory: '8Gi', minMemory: 'y' }), {}],
    ['takes a container without minimums', container({ cpu: '8', memory: '16Gi' }), {}],
  ],
  W22: [
    ['takes equal amounts', container({ cpu: '1', minCpu: '1000m', memory: '1Gi', minMemory: '1024Mi' }), {}],
    ['names the amounts', container({ minCpu: '51m', minMemory: '129Mi' }),
      { [`${c}.minCpu`]: 'minCpu "51m" of the container "main" may not be more than its cpu',
        [`${c}.minMemory`]: 'minMemory "129Mi" of the container "main" may not be more than its memory' }],
  ],
  W23: [
    ['counts an omitted cpu with its default of 50m', container({ memory: '401Mi' }),
      { [`${c}.memory`]: 'at most 8 MiB of memory per millicore (cpu "50m", memory "401Mi")' }],
    ['takes 8 MiB for each of 50 millicores', container({ memory: '400Mi' }), {}],
    ['takes the defaults', container({}), {}],
    ['leaves a cpu that is too small to W24', container({ cpu: '24m', memory: '1Gi' }), {}],
    ['looks at the smallest cpu', container({ cpu: '25m', memory: '201Mi' }), { [`${c}.memory`]: 'cpu "25m"' }],
    ['leaves what is no quantity to W24', container({ cpu: 'x', memory: '1Gi' }), {}],
    ['takes 32 MiB with the tag, as a truth too',
      of('standard', { cpu: '100m', memory: '3200Mi' }, {}, { tags: { 'scheme/relaxMemoryToCpuRatio': true } }), {}],
    ['refuses more than 32 MiB with the tag',
      of('standard', { cpu: '100m', memory: '3201Mi' }, {}, { tags: { 'scheme/relaxMemoryToCpuRatio': 'true' } }),
      { [`${c}.memory`]: 'at most 32 MiB' }],
    ['refuses more than 8 MiB where the tag is false',
      of('standard', { cpu: '100m', memory: '801Mi' }, {}, { tags: { 'scheme/relaxMemoryToCpuRatio': 'false' } }),
      { [`${c}.memory`]: 'at most 8 MiB' }],
  ],
  W24: [
    ['takes the least of each', container({ cpu: '25m', minCpu: 0.025, memory: '32Mi', minMemory: 33_554_432 }), {}],
    [
      'refuses less of each, with what to write',
      container({ cpu: '24m', minCpu: 0.024, memory: '31Mi', minMemory: 33_554_431 }),
      {
        [`${c}.cpu`]: 'cpu "24m" of the container "main" must be at least 25m Give at least 25m',
        [`${c}.minCpu`]: 'minCpu 0.024 of the container "main" must be at least 25m Give at least 25m',
        [`${c}.memory`]: 'memory "31Mi" of the container "main" must be at least 32Mi Give at least 32Mi',
        [`${c}.minMemory`]: 'must be at least 32Mi Give at least 32Mi',
      },
    ],
    ['refuses what is no quantity', container({ minMemory: '1 Gi' }),
      { [`${c}.minMemory`]: 'minMemory "1 Gi" of the container "main" is not a valid quantity Give at least 32Mi' }],
    ['leaves a value of another type to the structure', container({ cpu: true, memory: [] }), {}],
  ],
  W25: [
    ...(
      [
        ['t4', '8000m', '31Gi', 1],
        ['t4', '16', '62Gi', 2],
        ['a10g', '6000m', '62Gi', 1],
        ['a10g', '64', '8Gi', 1],
        ['t4', '1', '1Gi', 0],
        ['h100', '1', '1Gi', 1],
      ] as const
    ).map(
      ([model, cpu, memory, quantity]) =>
        [`takes ${quantity} ${model} with ${cpu} and ${memory}`, gpu(model, cpu, memory, quantity), {}] as const,
    ),
    ...(
      [
        ['t4', '8001m', '31Gi', 1, 'cpu'],
        ['t4', '3999m', '14Gi', 2, 'cpu'],
        ['t4', '2', '32Gi', 1, 'memory'],
        ['a10g', '5999m', '8Gi', 1, 'cpu'],
        ['a10g', '6', '7Gi', 1, 'memory'],
        ['a10g', '6', '63Gi', 1, 'memory'],
      ] as const
    ).map(
      ([model, cpu, memory, quantity, key]) =>
        [
          `refuses ${quantity} ${model} with ${cpu} and ${memory} (platform/workload.resources)`,
          gpu(model, cpu, memory, quantity),
          { [`${c}.${key}`]: `the container "main" with ${quantity} GPU ${model} needs cpu` },
        ] as const,
    ),
    ['counts one where no quantity is said',
      of('standard', { cpu: '2', memory: '7Gi', gpu: { nvidia: { model: 't4' } } }), {}],
    ['takes one a10g alone, whatever the rest is', gpu('a10g', '1', '1Gi', 2),
      { [`${c}.gpu.nvidia.quantity`]: 'the container "main" requests 2 GPUs of the model a10g' }],
    ['leaves what is no quantity to W24', gpu('t4', 'x', '7Gi'), {}],
    ['takes a container without a GPU', of('standard', { cpu: '1' }), {}],
  ],
  W26: [['takes nvidia alone', gpu('t4', '2', '7Gi'), {}]],
});
