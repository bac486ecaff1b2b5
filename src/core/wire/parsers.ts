export interface ParserSummary {
  readonly id: string;
  readonly name: string;
  readonly isBuiltIn: boolean;
}

export interface Parser extends ParserSummary {
  readonly script: string;
  readonly fieldsToTag: readonly string[];
  readonly fieldsToBeRemovedBeforeParsing: readonly string[];
  readonly testCases: readonly ParserTestCase[];
  /** The parser with its test cases as YAML. */
  readonly yamlTemplate: string;
}

/** A line, and the events that the parser must make of it. */
export interface ParserTestCase {
  readonly event: ParserTestEvent;
  /** At most one item per event. */
  readonly outputAssertions: readonly ParserOutputAssertions[];
}

/** A {@link ParserTestCase} to save or run. */
export interface ParserTestCaseInput {
  readonly event: ParserTestEvent;
  /** @default [] */
  readonly outputAssertions?:
    | readonly {
        readonly outputEventIndex: number;
        readonly assertions: {
          readonly fieldsHaveValues?: readonly ParserFieldValue[] | undefined;
          readonly fieldsNotPresent?: readonly string[] | undefined;
        };
      }[]
    | undefined;
}

export interface ParserTestEvent {
  /** Value of `@rawstring` before the parser runs. */
  readonly rawString: string;
}

/** What one of the events must be. */
export interface ParserOutputAssertions {
  /** Position among the events that the parser makes of the line, from 0. */
  readonly outputEventIndex: number;
  readonly assertions: {
    readonly fieldsHaveValues: readonly ParserFieldValue[];
    readonly fieldsNotPresent: readonly string[];
  };
}

export interface ParserFieldValue {
  /** Name of the field; that of a tag starts with `#`. */
  readonly fieldName: string;
  readonly expectedValue: string;
}

/** Result of a {@link ParserTestCase}. */
export interface ParserTestResult {
  /** The events that the parser made of the line, with all their fields; none if it dropped the event. */
  readonly outputEvents: readonly Readonly<Record<string, string>>[];
  /** What is wrong with the events. Empty if the test case passed. */
  readonly outputFailures: readonly ParserOutputFailures[];
}

/** What is wrong with one event. */
export interface ParserOutputFailures {
  /** Position of the event, from 0. There may be no such event. */
  readonly outputEventIndex: number;
  readonly failures: {
    /** Values of `@error_msg`. */
    readonly parsingErrors: readonly string[];
    readonly assertionFailuresOnFields: readonly ParserAssertionFailure[];
    /** Fields that start with `#` although they are no tags. */
    readonly falselyTaggedFields: readonly string[];
    /** Arrays without some of the elements before their last one. */
    readonly arraysWithGaps: readonly ArrayWithGap[];
  };
}

export type ParserAssertionFailure =
  | {
      readonly __typename: 'FieldHadUnexpectedValue';
      readonly fieldName: string;
      readonly expectedValue: string;
      /** null if there is no such field. */
      readonly actualValue: string | null;
    }
  | {
      readonly __typename: 'FieldUnexpectedlyPresent';
      readonly fieldName: string;
      readonly actualValue: string;
    }
  | {
      /** The field has several assertions. */
      readonly __typename: 'FieldHadConflictingAssertions';
      readonly fieldName: string;
    }
  | {
      /** The parser made fewer events. */
      readonly __typename: 'AssertionOnFieldWasOrphaned';
      readonly fieldName: string;
    };

export interface ArrayWithGap {
  /** Name of the array, such as `users` or `users[0].roles`. */
  readonly lastValidPrefix: string;
  readonly gaps: readonly {
    /** First missing element. */
    readonly startsAtIndex: number;
    /** Next element that exists. */
    readonly endsAtIndex: number;
  }[];
}
