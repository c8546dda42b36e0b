import { runScenario } from '../harness/scenario.ts';
import { scenario } from './12-high-throughput-volumeset.ts';

runScenario(scenario);
