import { runScenario } from '../harness/scenario.ts';
import { scenario } from './08-standard-three-protocols.ts';

runScenario(scenario);
