// A slider with its name and its value, which follows the hand at once: the server hears of it a little later.
export default {
  template: `
    <label class="a-slider">
      <span class="a-slider-name"><i v-if="dot" class="a-dot" :class="dot" aria-hidden="true"></i>{{ label }}</span>
      <output class="a-slider-value g-number" aria-hidden="true">{{ shown }}</output>
      <input type="range" :min="min" :max="max" :step="step" :value="now" :aria-label="label" :aria-valuetext="shown"
        @input="move" />
    </label>`,
  props: {
    label: String,
    dot: String,
    modelValue: {},
    min: Number,
    max: Number,
    step: Number,
    digits: Number,
    loopback: {},
  },
  emits: ["update:modelValue"],
  data() {
    return { now: Number(this.modelValue) };
  },
  watch: {
    modelValue(value) {
      this.now = Number(value);
    },
  },
  computed: {
    shown() {
      return this.now.toLocaleString("en-US", {
        minimumFractionDigits: this.digits,
        maximumFractionDigits: this.digits,
      });
    },
  },
  methods: {
    move(event) {
      this.now = Number(event.target.value);
      this.$emit("update:modelValue", this.now);
    },
  },
};
