import { runScenario } from '../harness/scenario.ts';
import { scenario } from './19-domain-path-routing.ts';

runScenario(scenario);
