//! Weights in the order in which the products read them.

/// The outputs that a product computes at a time.
pub(crate) const PANEL: usize = 64;

/// The columns that a panel of an inner product has for either half.
pub(crate) const HALF: usize = PANEL / 2;

/// Inputs are padded with zeros to a multiple of this.
pub(crate) const INPUTS: usize = 32;

/// Four inputs of sixteen outputs: the four of the first output, of the
/// second, and so on. One vector of the widest kind, in one line of the cache.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(crate) struct Line(pub [i8; 64]);

/// Four inputs of all outputs of a panel.
pub(crate) type Step = [Line; PANEL / 16];

/// A matrix of weights, cut into panels of `PANEL` outputs. Each panel holds
/// its steps in the order of the inputs.
pub(crate) struct Packed {
    steps: Vec<Step>,
    /// Activations are stored with 128 added; a sum that begins with this ends
    /// as the sum of the activations themselves.
    starts: Vec<[i32; PANEL]>,
    scales: Vec<[f32; PANEL]>,
    biases: Vec<[f32; PANEL]>,
    /// The number of inputs, with padding.
    inputs: usize,
}

/// `PANEL` outputs of a matrix.
#[derive(Clone, Copy)]
pub(crate) struct Panel<'p> {
    pub steps: &'p [Step],
    pub starts: &'p [i32; PANEL],
    pub scales: &'p [f32; PANEL],
    /// What the outputs are added to where there is nothing else.
    pub biases: &'p [f32; PANEL],
}

impl Packed {
    /// From rows of weights, one for each output. The number of inputs is a
    /// multiple of four.
    pub fn new(weights: &[u8], scales: &[f32], inputs: usize) -> Packed {
        let order: Vec<_> = (0..scales.len()).map(Some).collect();
        Packed::ordered(weights, scales, inputs, &order)
    }

    /// From rows of weights in another order; `None` gives an output of zeros.
    pub fn ordered(
        weights: &[u8],
        scales: &[f32],
        inputs: usize,
        order: &[Option<usize>],
    ) -> Packed {
        let padded = inputs.next_multiple_of(INPUTS);
        let (steps, panels) = (padded / 4, order.len().div_ceil(PANEL));
        let mut packed = Packed {
            steps: vec![[Line([0; 64]); PANEL / 16]; steps * panels],
            starts: vec![[0; PANEL]; panels],
            scales: vec![[0.0; PANEL]; panels],
            biases: vec![[0.0; PANEL]; panels],
            inputs: padded,
        };
        for (at, row) in order
            .iter()
            .enumerate()
            .filter_map(|(at, row)| Some((at, (*row)?)))
        {
            packed.put(at, &weights[row * inputs..][..inputs], scales[row]);
        }
        packed
    }

    /// The same with something for the outputs to be added to.
    pub fn with_bias(mut self, bias: &[f32]) -> Packed {
        let places = self.biases.as_flattened_mut();
        places
            .iter_mut()
            .zip(bias)
            .for_each(|(place, bias)| *place = *bias);
        self
    }

    /// Puts the weights of one output in their place.
    fn put(&mut self, output: usize, weights: &[u8], scale: f32) {
        let (panel, within) = (output / PANEL, output % PANEL);
        let steps = self.inputs / 4;
        let (line, at) = (within / 16, within % 16);
        let (fours, _) = weights.as_chunks::<4>();
        for (four, step) in fours.iter().zip(&mut self.steps[panel * steps..]) {
            step[line].0.as_chunks_mut().0[at] = four.map(|weight| weight as i8);
        }
        let sum: i32 = weights.iter().map(|&weight| i32::from(weight as i8)).sum();
        self.starts[panel][within] = -128 * sum;
        self.scales[panel][within] = scale;
    }

    /// The number of inputs, with padding.
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// The number of outputs, with padding.
    pub fn outputs(&self) -> usize {
        self.starts.len() * PANEL
    }

    /// The panels in the order of their outputs.
    pub fn panels(&self) -> impl Iterator<Item = Panel<'_>> {
        (0..self.starts.len()).map(|at| self.panel(at))
    }

    /// One of the panels.
    pub fn panel(&self, at: usize) -> Panel<'_> {
        let steps = self.inputs / 4;
        Panel {
            steps: &self.steps[at * steps..][..steps],
            starts: &self.starts[at],
            scales: &self.scales[at],
            biases: &self.biases[at],
        }
    }
}
