import type {
  AdaptiveJsonSchema,
  AdaptiveSchema,
  TemplateCondition,
  VisitorClaim,
} from '../../contract/index.ts';
import type { SiteRow } from '../../store/index.ts';
import { invalid } from '../api/api-error.ts';

/** The most claims of a site, signed and unsigned ones each. */
const MAX_CLAIMS = 100;

export function presentAdaptiveSchema(site: SiteRow): AdaptiveSchema | null {
  if (site.adaptiveSchema === null) return null;
  return {
    object: 'site-adaptive-schema',
    jsonSchema: site.adaptiveSchema as AdaptiveJsonSchema,
    updatedAt: (site.adaptiveSchemaUpdatedAt ?? site.updatedAt).toISOString(),
  };
}

type Claims = Readonly<Record<string, VisitorClaim>>;

/** The claims that are signed, and those that are not. */
function claimsOf(schema: AdaptiveJsonSchema): { readonly signed: Claims; readonly unsigned: Claims } {
  const { unsigned, ...signed } = schema.properties;
  return {
    signed: signed as Claims,
    unsigned: unsigned !== undefined && unsigned.type === 'object' ? unsigned.properties : {},
  };
}

/** Throws a 400 about a schema of which conditions could not use every claim. */
export function checkAdaptiveSchema(schema: AdaptiveJsonSchema): void {
  const field = '/body/jsonSchema/properties';
  for (const [name, claim] of Object.entries(schema.properties))
    if ((name === 'unsigned') !== (claim.type === 'object'))
      throw invalid(`${field}/${name}`, 'must be a claim; only “unsigned” is an object of claims');
  const { signed, unsigned } = claimsOf(schema);
  for (const [at, claims] of [
    [field, signed],
    [`${field}/unsigned/properties`, unsigned],
  ] as const) {
    const names = Object.keys(claims);
    if (names.length > MAX_CLAIMS) throw invalid(at, `must have at most ${MAX_CLAIMS} claims`);
    const wrong = names.find((name) => !/^[A-Za-z_$][\w$]{0,99}$/.test(name));
    if (wrong !== undefined)
      throw invalid(at, 'must name claims by letters, digits and underscores, with a letter first');
  }
}

/** A condition for each claim. */
export function suggestConditions(schema: AdaptiveJsonSchema): readonly TemplateCondition[] {
  const { signed, unsigned } = claimsOf(schema);
  const suggest = (claims: Claims, prefix: string) =>
    Object.entries(claims).map(([name, claim]) => ({
      description: claim.description,
      condition: conditionOn(`${prefix}.${name}`, claim),
    }));
  return [...suggest(signed, 'visitor.claims'), ...suggest(unsigned, 'visitor.claims.unsigned')];
}

function conditionOn(name: string, claim: VisitorClaim): string {
  if (claim.type === 'boolean') return name;
  if (claim.type === 'number') return `${name} > 0`;
  return `${name} == ${JSON.stringify(claim.enum?.[0] ?? 'value')}`;
}
