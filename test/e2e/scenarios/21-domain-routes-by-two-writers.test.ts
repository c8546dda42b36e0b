import { runScenario } from '../harness/scenario.ts';
import { scenario } from './21-domain-routes-by-two-writers.ts';

runScenario(scenario);
